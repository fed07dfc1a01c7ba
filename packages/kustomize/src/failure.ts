/** Failures with what was being done in front: `loading KV pairs: …`. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';

class KustomizeError extends Error {
  override readonly name = 'KustomizeError';
}

/** Runs the body; what it throws gets the context in front. */
export function within<T>(context: string | (() => string), body: () => T): T {
  try {
    return body();
  } catch (failure) {
    throw prefixed(typeof context === 'string' ? context : context(), failure);
  }
}

export const prefixed = (context: string, failure: unknown): KustomizeError =>
  new KustomizeError(`${context}: ${messageOf(failure)}`, { cause: failure });
