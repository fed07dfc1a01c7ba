/** Prefixes errors with where they happened. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

export function withErrorPrefix<T>(place: string, run: () => T): T {
  try {
    return run();
  } catch (failure) {
    throw new Error(`${place}${messageOf(failure)}`, { cause: failure });
  }
}
