/** The cost of a call at evaluation, from its arguments and its result. */

import { libraryCallCost } from './library-call-cost.ts';
import { sizeWithin } from '../values/size.ts';
import type { Value } from '../values/value.ts';
import { matchCost, traversal, type CallCost } from './text-cost.ts';

/** Undefined if a call costs 1. */
export function callCost(functionName: string, overloadId: string): CallCost | undefined {
  return libraryCallCost(functionName, overloadId) ?? standardCosts.get(overloadId);
}

const ofFirst: CallCost = ([first]) => traversal(sizeWithin(first!));

/** Both sides are compared up to the length of the shorter one. */
export const comparisonCost = (one: Value, other: Value): number => {
  if (typeof one === 'number' || typeof other === 'number')
    return sizeWithin(one) === 0 || sizeWithin(other) === 0 ? 0 : 1;
  if (typeof one === 'string' && typeof other === 'string') {
    const shorter = Math.min(one.length, other.length);
    // Ten code units are at most ten characters, which cost 1.
    if (shorter <= 10) return shorter === 0 ? 0 : 1;
  }
  return traversal(Math.min(sizeWithin(one), sizeWithin(other)));
};

const ofShorter: CallCost = ([one, other]) => comparisonCost(one!, other!);

const ofBoth: CallCost = ([one, other]) => traversal(sizeWithin(one!) + sizeWithin(other!));

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
