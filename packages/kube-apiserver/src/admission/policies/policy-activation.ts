/** The variables for a policy's expressions. */
import { valueOf, type Value } from '@coxswain/cel';
import type { CompiledExpression } from '@coxswain/api/admissionregistration/expression-compilation.ts';
import type { ExpressionVariables } from '../expression-variables.ts';
import { LazyVariables } from './lazy-variables.ts';

/** In addition to those of webhooks: `params` and `namespaceObject`, null if absent. */
export interface PolicyInputs {
  readonly write: ExpressionVariables;
  readonly params: Value;
  readonly namespaceObject: Value;
}

export interface PolicyActivation {
  readonly values: ExpressionVariables;
  readonly variables: LazyVariables;
}

/** A new one for each list of expressions evaluated together, since it caches variables. */
export function policyActivation(
  { write, params, namespaceObject }: PolicyInputs,
  compiled: ReadonlyMap<string, CompiledExpression>,
): PolicyActivation {
  const variables = new LazyVariables(compiled);
  const values: ExpressionVariables = { ...write, params, namespaceObject, variables };
  variables.see(values);
  return { values, variables };
}

/** Expressions of messages and annotations have no authorizer. */
export function withoutAuthorizer({ write, ...inputs }: PolicyInputs): PolicyInputs {
  const { authorizer: _, 'authorizer.requestResource': _of, ...visible } = write;
  return { ...inputs, write: visible };
}

export const jsonValue = (json: object | undefined): Value => (json === undefined ? null : valueOf(json));
