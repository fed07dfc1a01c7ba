/** An expression that is ready for evaluation. */

import type { CheckedExpression } from '../check/checker.ts';
import type { Scope } from '../check/scope.ts';
import { CelError } from '../values/error.ts';
import type { Value } from '../values/value.ts';
import { Planner } from './plan.ts';
import { EvaluationStopped, Run, type Activation } from './run.ts';
import type { Observe } from './observe.ts';

export type { Activation } from './run.ts';
export { ProgramError } from './program-error.ts';

export interface ProgramOptions {
  /** The cost limit of one evaluation; `perCallLimit` of Kubernetes by default. */
  readonly costLimit?: number;
  /** Called with every evaluated part, innermost first; constants are not included. */
  readonly observe?: Observe;
}

/** The default limit of one evaluation: about 0.1 s. */
const costLimitDefault = 1_000_000;

export interface Evaluation {
  /** An error is a `CelError`. */
  readonly value: Value;
  readonly cost: number;
}

export interface Program {
  readonly evaluate: (activation: Activation) => Evaluation;
}

/** @throws ProgramError */
export function planProgram(
  ast: CheckedExpression,
  scope: Scope,
  regularExpressions: Readonly<Record<string, number>>,
  { costLimit = costLimitDefault, observe }: ProgramOptions,
): Program {
  const { evaluate } = new Planner(ast, scope, regularExpressions, observe).plan(ast.expression);
  return {
    evaluate: (activation) => {
      const run = new Run(activation, costLimit);
      try {
        return { value: evaluate(run), cost: run.cost };
      } catch (error) {
        if (!(error instanceof EvaluationStopped)) throw error;
        return { value: new CelError(error.message), cost: run.cost };
      }
    },
  };
}
