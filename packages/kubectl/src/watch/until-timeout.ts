import { RequestTimeout } from '../api-client.ts';
import type { CommandContext } from '../context.ts';

const notice =
  '"Unable to decode an event from the watch stream" err="net/http: request canceled (Client.Timeout or context cancellation while reading body)"';

/** Ends when the request times out; from `-v=5` on, a line says so. */
export async function* untilTimeout<T>(
  context: CommandContext,
  events: AsyncGenerator<T>,
): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (failure) {
    if (context.signal?.aborted) return;
    if (!(failure instanceof RequestTimeout)) throw failure;
    if (context.globals.v >= 5) context.log('I', notice);
  }
}
