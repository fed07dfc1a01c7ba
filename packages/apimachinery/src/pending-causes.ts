import { deepEqual } from './deep-equal.ts';
import type { Cause, StepObserver } from './step.ts';

/** The maximum number of causes recorded for one key; the first ones are kept. */
const causesPerKeyMax = 32;

/** Records why keys are queued. Keeps nothing while there is no observer. */
export class PendingCauses {
  readonly #observer: StepObserver | undefined;
  readonly #byKey = new Map<string, Cause[]>();

  constructor(observer: StepObserver | undefined) {
    this.#observer = observer;
  }

  /** Records the current activity as a cause for `key`; if that is unknown, the causes are `otherwise`. */
  note(key: string, otherwise: readonly Cause[] = none): void {
    const cause = this.#observer?.causeOf?.(key);
    for (const one of cause === undefined ? otherwise : [cause]) this.#add(key, one);
  }

  #add(key: string, cause: Cause): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [cause]);
    else if (known.length < causesPerKeyMax && !known.some((one) => deepEqual(one, cause))) known.push(cause);
  }

  /** Returns and forgets the causes so far. */
  take(key: string): readonly Cause[] {
    const causes = this.#byKey.get(key);
    if (causes === undefined) return none;
    this.#byKey.delete(key);
    return causes;
  }
}

const none: readonly Cause[] = [];
