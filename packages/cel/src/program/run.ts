/** One evaluation: its cost so far, and the variables of comprehensions. */

import { currentAllowance, type WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { Value } from '../values/value.ts';

/** Variables by name. */
export type Activation = Readonly<Record<string, Value>>;

/** Ends an evaluation, whatever encloses it; its message is that of the resulting error. */
export class EvaluationStopped extends Error {}

const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';

/** The cost between two checks of the allowance: less than a millisecond of work, whatever is called. */
const costPerAsking = 1_000;

export class Run {
  cost = 0;
  readonly activation: Activation;
  readonly locals: (Value | undefined)[] = [];
  readonly #costLimit: number;
  readonly #allowance: WorkAllowance | undefined = currentAllowance();
  /** The cost at which to stop, or to check the allowance. */
  #costMax: number;

  constructor(activation: Activation, costLimit: number) {
    this.activation = activation;
    this.#costLimit = costLimit;
    this.#costMax = this.#nextMax();
  }

  spend(amount: number): void {
    this.cost += amount;
    if (this.cost > this.#costMax) this.#goOn();
  }

  #goOn(): void {
    if (this.cost > this.#costLimit) throw new EvaluationStopped(costLimitExceeded);
    this.#allowance?.askLeave();
    this.#costMax = this.#nextMax();
  }

  #nextMax(): number {
    return this.#allowance === undefined
      ? this.#costLimit
      : Math.min(this.#costLimit, this.cost + costPerAsking);
  }
}

export type Evaluate = (run: Run) => Value;
