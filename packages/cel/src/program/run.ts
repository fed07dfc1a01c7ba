/** One evaluation: what it has cost so far, and the variables of comprehensions. */

import { currentAllowance, type WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { Value } from '../values/value.ts';

/** Variables by name. */
export type Activation = Readonly<Record<string, Value>>;

/** Ends an evaluation, whatever is around; the message is that of the error that it ends with. */
export class EvaluationStopped extends Error {}

const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';

/** After so much it is asked whether to go on: less than a millisecond of work, whatever is called. */
const costPerAsking = 1_000;

export class Run {
  cost = 0;
  readonly activation: Activation;
  readonly locals: (Value | undefined)[] = [];
  readonly #costLimit: number;
  readonly #allowance: WorkAllowance | undefined = currentAllowance();
  /** Where to stop, or to ask. */
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
