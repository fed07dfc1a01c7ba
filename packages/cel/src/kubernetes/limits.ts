/** Cost limits of expressions in Kubernetes. A unit is about 50 to 100 ns upstream. */

import type { Ast } from '../environment.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import { requestSizeMax } from './schema-type.ts';

/** For one evaluation of one expression. */
export const evaluationCostMax = 1_000_000;
/** For all expressions of one kind in a request: the rules of a custom resource, or those of a policy. */
export const requestCostMax = 10_000_000;
/** For all match conditions of one request. */
export const matchConditionsCostMax = 2_500_000;
/** For the estimate of one rule of a CustomResourceDefinition, multiplied by its maximum number of evaluations. */
export const ruleEstimateMax = 10_000_000;
/** For the estimates of all rules of a CustomResourceDefinition. */
export const definitionEstimateMax = 100_000_000;

/** The maximum number of values of this type in a request. */
export const cardinalityMax = (declared: DeclaredType): number =>
  Math.trunc(requestSizeMax / (declared.serializedSizeMin + 1));

/** The names of variables, constants and types that the expression refers to. */
export const referredNames = (ast: Ast): ReadonlySet<string> =>
  new Set(
    ast.references.flatMap((reference) => (reference && reference.name !== '' ? [reference.name] : [])),
  );
