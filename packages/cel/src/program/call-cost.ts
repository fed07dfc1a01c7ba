/** What a call costs when it is evaluated, from its arguments and its result. */

import { libraryCallCost } from './library-call-cost.ts';
import { sizeWithin } from '../values/size.ts';
import type { Value } from '../values/value.ts';

export type CallCost = (args: readonly Value[], result: Value) => number;

/** Of reading a string once, a character. */
export const stringCostFactor = 0.1;
/** Of a character of a regular expression for each unit of the text. */
export const regularExpressionCostFactor = 0.25;

export const traversal = (size: number): number => Math.ceil(size * stringCostFactor);

/** Undefined where a call costs 1. */
export function callCost(functionName: string, overloadId: string): CallCost | undefined {
  return libraryCallCost(functionName, overloadId) ?? standardCosts.get(overloadId);
}

const ofFirst: CallCost = ([first]) => traversal(sizeWithin(first!));

/** Both sides are compared as far as the shorter one reaches. */
export const comparisonCost = (one: Value, other: Value): number => {
  if (typeof one === 'number' || typeof other === 'number')
    return sizeWithin(one) === 0 || sizeWithin(other) === 0 ? 0 : 1;
  if (typeof one === 'string' && typeof other === 'string') {
    const shorter = Math.min(one.length, other.length);
    // Up to ten code units are up to ten characters, which cost 1.
    if (shorter <= 10) return shorter === 0 ? 0 : 1;
  }
  return traversal(Math.min(sizeWithin(one), sizeWithin(other)));
};

const ofShorter: CallCost = ([one, other]) => comparisonCost(one!, other!);

const ofBoth: CallCost = ([one, other]) => traversal(sizeWithin(one!) + sizeWithin(other!));

export const matchCost = (textSize: number, patternSize: number): number =>
  Math.ceil((1 + textSize) * stringCostFactor) * Math.ceil(patternSize * regularExpressionCostFactor);

const standardCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string', 'strings_quote'].map(
    (id) => [id, ofFirst] as const,
  ),
  ['string_format', ofFirst],
  ['in_list', ([, list]) => sizeWithin(list!)],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) =>
    ['string', 'bytes'].map((type) => [`${name}_${type}`, ofShorter] as const),
  ),
  ['equals', ofShorter],
  ['not_equals', ofShorter],
  ['add_string', ofBoth],
  ['add_bytes', ofBoth],
  ['matches_string', ([text, pattern]) => matchCost(sizeWithin(text!), sizeWithin(pattern!))],
  ['contains_string', ([text, part]) => traversal(sizeWithin(text!)) * traversal(sizeWithin(part!))],
]);
