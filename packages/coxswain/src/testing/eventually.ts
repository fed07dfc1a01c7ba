/** Waits for a condition in the cluster's time. */

import { checkWords, shown, wordsOf } from './known-words.ts';
import { durationMs } from './virtual-clock.ts';
import type { EventuallyOptions } from '../../types/testing.d.ts';

export type { EventuallyOptions } from '../../types/testing.d.ts';

export interface Pace {
  /** Lets the cluster finish its pending work. */
  readonly idle: () => Promise<void>;
  /** Lets this much of its time pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** Added to the error if the condition is never met: how to reproduce the run. */
  readonly replay: string;
}

const words = wordsOf<EventuallyOptions>({ within: true, every: true });
const withinDefault = '1m';
const everyDefault = '1s';

/**
 * Retries until `attempt` neither throws nor returns false, and resolves with its result.
 * @throws the error of the last attempt, with how long it waited and how to reproduce the run
 */
export async function eventually<T>(
  pace: Pace,
  attempt: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  if (typeof attempt !== 'function')
    throw new TypeError(`eventually requires a function to try, not ${shown(attempt)}`);
  checkWords('eventually', options, words);
  const { within = withinDefault, every = everyDefault } = options;
  const stepMs = Math.max(1, durationMs(every));
  const limitMs = durationMs(within);
  for (let passedMs = 0; ; passedMs += stepMs) {
    await pace.idle();
    const outcome = await outcomeOf(attempt);
    if ('value' in outcome) return outcome.value;
    if (passedMs >= limitMs)
      throw withContext(outcome.failure, `not within ${String(within)}; ${pace.replay}`);
    await pace.pass(Math.min(stepMs, limitMs - passedMs));
  }
}

type Outcome<T> = { readonly value: T } | { readonly failure: unknown };

async function outcomeOf<T>(attempt: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await attempt();
    return value === false ? { failure: new Error('it stayed false') } : { value };
  } catch (failure) {
    return { failure };
  }
}

/** Extends the message of the same error, so that test runners still show its diff. */
export function withContext(failure: unknown, context: string): unknown {
  if (!(failure instanceof Error)) return new Error(`${String(failure)} (${context})`, { cause: failure });
  if (!failure.message.includes(context)) failure.message = `${failure.message} (${context})`;
  return failure;
}
