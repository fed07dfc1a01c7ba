/** A watch whose objects are served differently from how they are stored. Events that need no change pass unchanged. */
import type { Served, ServedEvent, ServedWatch } from '../rest/served.ts';

export const decoratedWatch = (watch: ServedWatch, decorate: (served: Served) => Served): ServedWatch => ({
  get ended() {
    return watch.ended;
  },
  stop: () => watch.stop(),
  reportProgress: () => watch.reportProgress?.(),
  async next() {
    return (await watch.next())?.map((event) => decoratedEvent(event, decorate));
  },
});

function decoratedEvent(event: ServedEvent, decorate: (served: Served) => Served): ServedEvent {
  if (event.type === 'BOOKMARK' || event.type === 'ERROR') return event;
  const object = decorate(event.object);
  return object === event.object ? event : { type: event.type, object };
}
