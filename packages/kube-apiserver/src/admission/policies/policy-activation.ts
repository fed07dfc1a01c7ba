/** What the expressions of a policy see when they are evaluated. */
import { valueOf, type Value } from '@coxswain/cel';
import type { CompiledExpression } from '@coxswain/api/admissionregistration/expression-compilation.ts';
import type { ExpressionVariables } from '../expression-variables.ts';
import { LazyVariables } from './lazy-variables.ts';

/** Beside what webhooks' expressions see: `params` and `namespaceObject`, null where there is none. */
export interface PolicyInputs {
  readonly write: ExpressionVariables;
  readonly params: Value;
  readonly namespaceObject: Value;
}

export interface PolicyActivation {
  readonly values: ExpressionVariables;
  readonly variables: LazyVariables;
}

/** A new one for each list of expressions that are evaluated together: variables are remembered in it. */
export function policyActivation(
  { write, params, namespaceObject }: PolicyInputs,
  compiled: ReadonlyMap<string, CompiledExpression>,
): PolicyActivation {
  const variables = new LazyVariables(compiled);
  const values: ExpressionVariables = { ...write, params, namespaceObject, variables };
  variables.see(values);
  return { values, variables };
}

/** Messages and annotations may not ask the authorizer. */
export function withoutAuthorizer({ write, ...inputs }: PolicyInputs): PolicyInputs {
  const { authorizer: _, 'authorizer.requestResource': _of, ...visible } = write;
  return { ...inputs, write: visible };
}

export const jsonValue = (json: object | undefined): Value => (json === undefined ? null : valueOf(json));
