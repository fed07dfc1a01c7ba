/** One evaluation: what it has cost so far, and the variables of comprehensions. */

import type { Value } from '../values/value.ts';

/** Variables by name. */
export type Activation = Readonly<Record<string, Value>>;

/** Ends an evaluation that costs more than it may. */
export class CostLimitExceeded extends Error {}

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
    if (this.cost > this.costLimit) throw new CostLimitExceeded();
  }
}

export type Evaluate = (run: Run) => Value;
