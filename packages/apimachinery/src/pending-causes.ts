import { deepEqual } from './deep-equal.ts';
import type { Cause, StepObserver } from './step.ts';

/** One thing that is done for so many reasons is told the first. */
const causesPerKeyMax = 32;

/** Why keys wait to be worked on. Keeps nothing while nobody watches. */
export class PendingCauses {
  readonly #observer: StepObserver | undefined;
  readonly #byKey = new Map<string, Cause[]>();

  constructor(observer: StepObserver | undefined) {
    this.#observer = observer;
  }

  /** What happens now is why `key` will be worked on; where nothing is known of it, the reasons are `otherwise`. */
  note(key: string, otherwise: readonly Cause[] = none): void {
    const cause = this.#observer?.causeOf?.(key);
    for (const one of cause === undefined ? otherwise : [cause]) this.#add(key, one);
  }

  #add(key: string, cause: Cause): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [cause]);
    else if (known.length < causesPerKeyMax && !known.some((one) => deepEqual(one, cause))) known.push(cause);
  }

  /** The causes so far; they are forgotten. */
  take(key: string): readonly Cause[] {
    const causes = this.#byKey.get(key);
    if (causes === undefined) return none;
    this.#byKey.delete(key);
    return causes;
  }
}

const none: readonly Cause[] = [];
