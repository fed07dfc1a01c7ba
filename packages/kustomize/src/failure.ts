/** Errors with a context prefix: `loading KV pairs: …`. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';

class KustomizeError extends Error {
  override readonly name = 'KustomizeError';
}

/** Runs the body and adds the context to its errors. */
export function within<T>(context: string | (() => string), body: () => T): T {
  try {
    return body();
  } catch (failure) {
    throw prefixed(typeof context === 'string' ? context : context(), failure);
  }
}

export const prefixed = (context: string, failure: unknown): KustomizeError =>
  new KustomizeError(`${context}: ${messageOf(failure)}`, { cause: failure });
