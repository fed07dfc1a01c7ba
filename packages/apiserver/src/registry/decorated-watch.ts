/** A watch whose objects are shown otherwise than they are stored. Events that need no change pass as they are. */
import type { Served, ServedEvent, ServedWatch } from '../rest/served.ts';

export const decoratedWatch = (watch: ServedWatch, decorate: (served: Served) => Served): ServedWatch => ({
  get ended() {
    return watch.ended;
  },
  stop: () => watch.stop(),
  tellProgress: () => watch.tellProgress?.(),
  async next() {
    return (await watch.next())?.map((event) => decoratedEvent(event, decorate));
  },
});

function decoratedEvent(event: ServedEvent, decorate: (served: Served) => Served): ServedEvent {
  if (event.type === 'BOOKMARK' || event.type === 'ERROR') return event;
  const object = decorate(event.object);
  return object === event.object ? event : { type: event.type, object };
}
