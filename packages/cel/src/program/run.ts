/** One evaluation: what it has cost so far, and the variables of comprehensions. */

import type { Value } from '../values/value.ts';

/** Variables by name. */
export type Activation = Readonly<Record<string, Value>>;

/** Ends an evaluation, whatever is around; the message is that of the error that it ends with. */
export class EvaluationStopped extends Error {}

const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';

export class Run {
  cost = 0;
  readonly costLimit: number;
  readonly activation: Activation;
  readonly locals: (Value | undefined)[] = [];

  constructor(activation: Activation, costLimit: number) {
    this.activation = activation;
    this.costLimit = costLimit;
  }

  spend(amount: number): void {
    this.cost += amount;
    if (this.cost > this.costLimit) throw new EvaluationStopped(costLimitExceeded);
  }
}

export type Evaluate = (run: Run) => Value;
