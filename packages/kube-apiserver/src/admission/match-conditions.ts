/** `matchConditions` of webhooks and policies: expressions that must all hold for a write to match. */
import type * as admission from '@coxswain/api/admissionregistration/v1/index.ts';
import { aggregateText, type Live } from '@coxswain/apimachinery';
import { environmentOf } from '@coxswain/api/admissionregistration/expression-compilation.ts';
import { formatType, isError, matchConditionsCostMax, type Program, type Value } from '@coxswain/cel';

export type MatchCondition = Live<admission.MatchCondition>;

export interface MatchConditionScope {
  /** Whether the variable `params` exists. */
  readonly params: boolean;
}

export type ConditionsResult =
  | { readonly kind: 'match' }
  | { readonly kind: 'no-match'; readonly failedCondition?: string }
  /** Only with the failure policy `Fail`; the message is that of the refusal. */
  | { readonly kind: 'error'; readonly message: string };

/** The variables are those of `expressionVariables`, and `params` if it exists. */
export type MatchConditions = (variables: Readonly<Record<string, Value>>) => ConditionsResult;

/** Compiled once per configuration; an expression that doesn't compile fails when it is evaluated. */
export function matchConditions(
  conditions: readonly MatchCondition[],
  failurePolicy: string | undefined,
  { params }: MatchConditionScope = { params: false },
): MatchConditions {
  const programs = conditions.map(({ name, expression }) => {
    return { name, expression, compiled: compile(expression, params) };
  });
  const failsClosed = failurePolicy !== 'Ignore';
  const failed = (message: string): ConditionsResult =>
    failsClosed ? { kind: 'error', message } : { kind: 'no-match' };
  return (variables) => {
    const results: { readonly name: string; readonly value: Value | Problem }[] = [];
    let budget = matchConditionsCostMax;
    for (const { name, expression, compiled } of programs) {
      if (compiled instanceof Problem) {
        results.push({ name, value: compiled });
        continue;
      }
      const { value, cost } = compiled.evaluate(variables);
      budget -= cost;
      if (budget < 0) return failed(outOfBudget);
      results.push({
        name,
        value: isError(value)
          ? new Problem(`expression '${expression}' resulted in error: ${value.message}`)
          : value,
      });
    }
    const refusing = results.find(({ value }) => value === false);
    if (refusing !== undefined) return { kind: 'no-match', failedCondition: refusing.name };
    const problems = results.flatMap(({ value }) => (value instanceof Problem ? [value.message] : []));
    return problems.length === 0 ? matching : failed(aggregateText(problems));
  };
}

const matching: ConditionsResult = { kind: 'match' };

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

class Problem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

function compile(expression: string, params: boolean): Program | Problem {
  const environment = environmentOf({ params, authorizer: true });
  const { ast, issuesText } = environment.compile(expression);
  if (ast === undefined) return new Problem(`compilation error: compilation failed: ${issuesText}`);
  const type = formatType(ast.outputType);
  if (type !== 'bool') return new Problem(`compilation error: must evaluate to bool but got ${type}`);
  return environment.program(ast);
}
