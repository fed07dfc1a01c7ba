import { RequestTimeout } from '../api-client.ts';
import type { CommandContext } from '../context.ts';

/** Ends quietly when the request times out. */
export async function* untilTimeout<T>(
  context: CommandContext,
  events: AsyncGenerator<T>,
): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (failure) {
    if (context.signal?.aborted || failure instanceof RequestTimeout) return;
    throw failure;
  }
}
