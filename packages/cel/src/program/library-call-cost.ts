/** What calls of Kubernetes' libraries cost when they are evaluated. */

import { NamedFormat } from '../library/named-format.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { sizeOf } from '../values/size.ts';
import { StructValue } from '../values/struct.ts';
import type { Value } from '../values/value.ts';
import { matchCost, stringCostFactor, traversal } from './call-cost.ts';
import type { CallCost } from './call-cost.ts';

/** Undefined where the standard's cost holds. */
export const libraryCallCost = (functionName: string, overloadId: string): CallCost | undefined =>
  costs.get(`${functionName}/${overloadId}`) ?? costs.get(functionName);

const fixed =
  (cost: number): CallCost =>
  () =>
    cost;

const ofFirst: CallCost = ([first]) => traversal(sizeOf(first!));
const ofFirstTwice: CallCost = ([first]) => Math.ceil(sizeOf(first!) * 2 * stringCostFactor);
const ofAll: CallCost = ([first]) => traversalCost(first!);

const ofSelector: CallCost = ([, selector]) => selectorCost(sizeOf(selector!));

/** Of asking the authorizer. */
export const authorizationCost = 350_000;

/** A requirement of a selector is a list and a struct; there may be one for every two characters. */
export const selectorCost = (length: number): number =>
  10 + traversal(length) + Math.ceil(Math.ceil(length * 0.5) * 50);

const containsIp: CallCost = ([cidr]) => traversal(2 * sizeOf(cidr!));
const containsCidr: CallCost = ([cidr]) => traversal(2 * sizeOf(cidr!)) + traversal(sizeOf(cidr!)) + 1;

const entries = (names: string, cost: CallCost): (readonly [string, CallCost])[] =>
  names.split(' ').map((name) => [name, cost] as const);

const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['check', fixed(authorizationCost)],
  ...entries(
    'serviceAccount path group resource subresource namespace name allowed reason error errored',
    fixed(1),
  ),
  ...entries('fieldSelector labelSelector', ofSelector),
  ...entries('isSorted sum max min indexOf lastIndexOf', ofAll),
  ...entries('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', ofFirst),
  ...entries('replace split', ofFirstTwice),
  ['join', (_, result) => Math.ceil(sizeOf(result) * 2 * stringCostFactor)],
  ...entries('find findAll', ([text, pattern]) => matchCost(sizeOf(text!), sizeOf(pattern!))),
  ...entries('cidr isIP isCIDR ip', ofFirst),
  ['ip/cidr_ip', fixed(1)],
  ['ip.isCanonical', ofFirstTwice],
  ...entries('masked prefixLength family isUnspecified isLoopback', fixed(1)),
  ...entries('isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', fixed(1)),
  ['containsIP', containsIp],
  [
    'containsIP/cidr_contains_ip_string',
    (args, result) => containsIp(args, result) + traversal(sizeOf(args[1]!)),
  ],
  ['containsCIDR', containsCidr],
  [
    'containsCIDR/cidr_contains_cidr_string',
    (args, result) => containsCidr(args, result) + traversal(sizeOf(args[1]!)),
  ],
  ...entries('quantity isQuantity semver isSemver', ofFirst),
  [
    'validate',
    ([format, text]) => (format instanceof NamedFormat ? matchCost(sizeOf(text!), format.patternSizeMax) : 1),
  ],
  ['format.named', fixed(1)],
  ...entries('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan', fixed(1)),
  ...entries('compareTo add sub major minor patch', fixed(1)),
  ...entries('getScheme getHostname getHost getPort getEscapedPath getQuery', fixed(1)),
]);

/** Comparing two values of a library's type costs 1. */
export const isLibraryValue = (value: Value): boolean => value instanceof OpaqueValue;

/** Of looking at a value and everything in it once; strings by their bytes. */
function traversalCost(value: Value): number {
  if (typeof value === 'string') return Math.trunc(utf8Length(value) * stringCostFactor);
  if (value instanceof Uint8Array) return Math.trunc(value.length * stringCostFactor);
  if (value instanceof ListValue)
    return value.items().reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (value instanceof MapValue) {
    return value
      .keys()
      .reduce<number>((sum, key) => sum + traversalCost(key) + traversalCost(value.get(key)!), 0);
  }
  if (value instanceof StructValue && value.keys) {
    return value.keys().reduce((sum, key) => sum + traversalCost(key) + traversalCost(value.get(key)), 0);
  }
  return 1;
}

const encoder = new TextEncoder();
const utf8Length = (text: string): number => encoder.encode(text).length;
