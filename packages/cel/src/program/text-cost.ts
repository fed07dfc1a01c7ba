/** The cost of reading strings at evaluation. */

import type { Value } from '../values/value.ts';

export type CallCost = (args: readonly Value[], result: Value) => number;

/** The cost per character of reading a string once. */
export const stringCostFactor = 0.1;
/** The cost per character of a regular expression, for each unit of the text. */
export const regularExpressionCostFactor = 0.25;

export const traversal = (size: number): number => Math.ceil(size * stringCostFactor);

export const matchCost = (textSize: number, patternSize: number): number =>
  Math.ceil((1 + textSize) * stringCostFactor) * Math.ceil(patternSize * regularExpressionCostFactor);
