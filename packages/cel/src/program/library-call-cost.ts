/** The cost of calls of Kubernetes' libraries at evaluation. */

import { NamedFormat } from '../formats/named-format.ts';
import { CelError } from '../values/error.ts';
import { ListValue, MapValue, OpaqueValue, StructValue, type Value } from '../values/value.ts';
import { sizeOf } from '../values/size.ts';
import { EvaluationStopped } from './run.ts';
import { matchCost, stringCostFactor, traversal, type CallCost } from './text-cost.ts';

/** Undefined if the standard cost applies. */
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

/** For a call of the authorizer. */
export const authorizationCost = 350_000;

/** A requirement of a selector is a list and a struct; there may be one for every two characters. */
export const selectorCost = (length: number): number =>
  10 + traversal(length) + Math.ceil(Math.ceil(length * 0.5) * 50);

const containsIp: CallCost = ([cidr]) => traversal(2 * sizeOf(cidr!));
const containsCidr: CallCost = ([cidr]) => traversal(2 * sizeOf(cidr!)) + traversal(sizeOf(cidr!)) + 1;

/** Compares every element with every other one. */
const ofSets =
  (passes: number): CallCost =>
  ([one, other]) =>
    1 + sizeOf(one!) * sizeOf(other!) * passes;

/** A new list costs as much as a literal one, plus the cost of computing it. */
const newList = (size: number, factor = 1): number => 11 + Math.trunc(size * factor);

const ofResult: CallCost = (_, result) => newList(sizeOf(result));

const ofFlattening: CallCost = ([list, depth]) =>
  newList(sizeOf(list!), typeof depth === 'number' ? depth : 1);

/** Upstream fails when it determines the list's size. */
const notAList = 'internal error: interface conversion: *types.Err is not traits.Lister: missing method Add';

/** Elements are compared pairwise; strings are longer. */
const ofComparing =
  (index: number): CallCost =>
  (args) => {
    const list = args[index];
    if (list instanceof CelError) throw new EvaluationStopped(notAList);
    const first = list instanceof ListValue && list.size > 0 ? list.at(0) : undefined;
    const isText = typeof first === 'string' || first instanceof Uint8Array;
    return newList(sizeOf(list!) ** 2, isText ? 2 + stringCostFactor : 2);
  };

const sortOverloads =
  'int uint double bool google.protobuf.Duration google.protobuf.Timestamp string bytes'.split(' ');

const entries = (names: string, cost: CallCost): (readonly [string, CallCost])[] =>
  names.split(' ').map((name) => [name, cost] as const);

const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...entries('sets.contains sets.intersects', ofSets(1)),
  ['sets.equivalent', ofSets(2)],
  ['slice/list_slice', ofResult],
  ['lists.range/lists_range', ofResult],
  ['reverse/list_reverse', ofResult],
  ['flatten/list_flatten', ofFlattening],
  ['flatten/list_flatten_int', ofFlattening],
  ['distinct/list_distinct', ofComparing(0)],
  ...sortOverloads.flatMap((type): (readonly [string, CallCost])[] => [
    [`sort/list_${type}_sort`, ofComparing(0)],
    [`@sortByAssociatedKeys/list_${type}_sortByAssociatedKeys`, ofComparing(1)],
  ]),
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

/** The cost of visiting a value and everything in it once; strings count by their bytes. */
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
