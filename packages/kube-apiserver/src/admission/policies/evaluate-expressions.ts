/** Evaluates a policy's expressions in order until their cost budget is spent. */
import { isError, type Value } from '@coxswain/cel';
import type { PolicyActivation } from './policy-activation.ts';
import type { PolicyExpression } from './policy-program.ts';

export type ExpressionResult = { readonly value: Value } | { readonly problem: string };

export interface Evaluated {
  /** A result for each expression, in order; undefined for an absent expression. */
  readonly results: readonly (ExpressionResult | undefined)[];
  readonly budget: number;
}

/** The reason that none of the results counts. */
export class EvaluationProblem extends Error {}

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** @throws EvaluationProblem when the budget is exceeded */
export function evaluateExpressions(
  expressions: readonly (PolicyExpression | undefined)[],
  activation: PolicyActivation,
  budget: number,
): Evaluated {
  let left = budget;
  const results = expressions.map((expression) => {
    if (expression === undefined) return undefined;
    const { result, cost } = evaluateExpression(expression, activation);
    if (cost > left) throw new EvaluationProblem(outOfBudget);
    left -= cost;
    return result;
  });
  return { results, budget: left };
}

function evaluateExpression(
  { text, compiled }: PolicyExpression,
  { values, variables }: PolicyActivation,
): { readonly result: ExpressionResult; readonly cost: number } {
  if ('problem' in compiled)
    return { result: { problem: `compilation error: ${compiled.problem}` }, cost: 0 };
  const { value, cost } = compiled.program.evaluate(values);
  const result = isError(value)
    ? { problem: `expression '${text}' resulted in error: ${value.message}` }
    : { value };
  return { result, cost: cost + variables.takeCost() };
}
