/** What expressions in Kubernetes may cost. A unit is about 50 to 100 ns of the original. */

import type { Ast } from '../environment.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import { requestSizeMax } from './schema-type.ts';

/** One evaluation of one expression. */
export const evaluationCostMax = 1_000_000;
/** All expressions that one request runs through, of one kind: rules of a custom resource, one policy's. */
export const requestCostMax = 10_000_000;
/** All match conditions of one request. */
export const matchConditionsCostMax = 2_500_000;
/** The estimate of one rule of a custom resource definition, times how often its place can occur. */
export const ruleEstimateMax = 10_000_000;
/** The estimates of all rules of a custom resource definition. */
export const definitionEstimateMax = 100_000_000;

/** How often a value of this type fits into a request at most. */
export const cardinalityMax = (declared: DeclaredType): number =>
  Math.trunc(requestSizeMax / (declared.serializedSizeMin + 1));

/** Names of variables, constants and types that the expression refers to. */
export const referredNames = (ast: Ast): ReadonlySet<string> =>
  new Set(
    ast.references.flatMap((reference) => (reference && reference.name !== '' ? [reference.name] : [])),
  );
