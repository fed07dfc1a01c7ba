/** A watch in a version other than the stored one, when conversion is asynchronous: events keep their order. */
import { isStatusError } from '@coxswain/apimachinery';
import type { Served, ServedEvent, ServedWatch } from '../rest/served.ts';

export const convertedWatch = (
  watch: ServedWatch,
  convert: (served: Served) => Served | Promise<Served>,
): ServedWatch => ({
  get ended() {
    return watch.ended;
  },
  stop: () => watch.stop(),
  reportProgress: () => watch.reportProgress?.(),
  async next() {
    const events = await watch.next();
    return events && Promise.all(events.map((event) => convertedEvent(event, convert)));
  },
});

/** A failed conversion is sent as an error, after which the client lists again. */
async function convertedEvent(
  event: ServedEvent,
  convert: (served: Served) => Served | Promise<Served>,
): Promise<ServedEvent> {
  if (event.type === 'BOOKMARK' || event.type === 'ERROR') return event;
  try {
    const object = await convert(event.object);
    return object === event.object ? event : { type: event.type, object };
  } catch (failure) {
    if (!isStatusError(failure)) throw failure;
    return { type: 'ERROR', status: failure.status };
  }
}
