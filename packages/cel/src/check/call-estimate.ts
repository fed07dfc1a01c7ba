/** The minimum and maximum costs of calls, from the sizes of their operands. */

import type { Expression } from '../syntax/expression.ts';
import { isSameType, type CelType } from '../types/type.ts';
import {
  add,
  fixed,
  multiply,
  scale,
  unbounded,
  unknownSize,
  type CostEstimate,
  type SizeEstimate,
} from './cost-range.ts';

export interface Operand {
  /** The path from a variable; empty if the operand is computed. */
  readonly path: readonly string[];
  readonly type: CelType;
  readonly expression: Expression | undefined;
  readonly size: SizeEstimate | undefined;
}

export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly resultSize?: SizeEstimate;
}

export type SizeAt = (path: readonly string[]) => SizeEstimate | undefined;

/** Without the cost of the arguments; undefined if neither a library nor the standard has a rule for the call. */
export function estimateCall(
  functionName: string,
  overload: string,
  target: Operand | undefined,
  args: readonly Operand[],
  sizeAt: SizeAt,
): CallEstimate | undefined {
  const context: Context = { overload, target, args, sizeOf: (operand) => sizeOf(operand, sizeAt) };
  return (
    overloadEstimates.get(overload)?.(context) ??
    libraryEstimates.get(functionName)?.(context) ??
    standardEstimates.get(overload)?.(context)
  );
}

interface Context {
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  readonly sizeOf: (operand: Operand) => SizeEstimate;
}

type Rule = (context: Context) => CallEstimate | undefined;

const stringCostFactor = 0.1;
const regularExpressionCostFactor = 0.25;

function sizeOf(operand: Operand, sizeAt: SizeAt): SizeEstimate {
  return operand.size ?? sizeAt(operand.path) ?? unknownSize;
}

const traversal = (size: SizeEstimate): CostEstimate => scale(size, stringCostFactor);

const ofUnit: Rule = () => ({ cost: fixed(1) });

/** As large as the first operand, target or argument. */
const keepsSize =
  (pick: (context: Context) => Operand | undefined): Rule =>
  (context) => {
    const operand = pick(context);
    if (!operand) return undefined;
    const size = context.sizeOf(operand);
    return { cost: traversal(size), resultSize: size };
  };

const readsFirst =
  (factor: number): Rule =>
  ({ args, sizeOf: size }) =>
    args[0] && { cost: scale(size(args[0]), factor) };

const matching = (text: SizeEstimate, pattern: SizeEstimate): CostEstimate =>
  multiply(scale(add(text, fixed(1)), stringCostFactor), scale(pattern, regularExpressionCostFactor));

const find: Rule = ({ target, args, sizeOf: size }) => {
  if (!target || !args[0]) return undefined;
  const text = size(target);
  return { cost: matching(text, size(args[0])), resultSize: { min: 0, max: text.max } };
};

/** Each element once, including all of its strings; a string is traversed once. */
const traversesElements: Rule = ({ target, sizeOf: size }) => {
  if (!target) return undefined;
  const elementType = target.type.parameters[0];
  if (!elementType) return { cost: traversal(size(target)) };
  let elementCost: CostEstimate = fixed(1);
  if (elementType.kind === 'string' || elementType.kind === 'bytes') {
    elementCost = add(elementCost, traversal(size(elementOf(target))));
  }
  return { cost: multiply(size(target), elementCost) };
};

const elementOf = (list: Operand): Operand => ({
  path: list.path.length === 0 ? [] : [...list.path, '@items'],
  type: list.type.parameters[0]!,
  expression: undefined,
  size: undefined,
});

const selector: Rule = ({ args, sizeOf: size }) => {
  if (args.length !== 1) return undefined;
  const length = size(args[0]!);
  return { cost: [traversal(length), scale(scale(length, 0.5), 50)].reduce(add, fixed(10)) };
};

const split: Rule = ({ target, args, sizeOf: size }) => {
  if (!target) return undefined;
  const text = size(target);
  const limit = args[1]?.expression?.kind === 'literal' ? args[1].expression.value : undefined;
  const max = typeof limit === 'number' ? (limit < 0 ? unbounded : limit) : text.max;
  return { cost: scale(text, 2 * stringCostFactor), resultSize: { min: 0, max } };
};

const join: Rule = ({ target, args, sizeOf: size }) => {
  if (!target) return undefined;
  const count = size(target);
  let result: SizeEstimate =
    target.type.parameters.length > 0 ? multiply(count, size(elementOf(target))) : fixed(0);
  if (args[0]) {
    const separators = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
    result = add(result, multiply(size(args[0]), separators));
  }
  return { cost: traversal(result), resultSize: result };
};

const replace: Rule = ({ target, args, sizeOf: size }) => {
  if (!target || args.length < 2) return undefined;
  const text = size(target);
  const old = size(args[0]!);
  const replacement = size(args[1]!);
  const most = replacements(text.max, old.min, replacement.max <= old.min);
  const least = replacements(text.min, old.max, old.max <= replacement.min);
  const resultSize = add(multiply({ min: least.count, max: most.count }, replacement), {
    min: least.kept,
    max: most.kept,
  });
  return { cost: scale(text, 2 * stringCostFactor), resultSize };
};

/** The number of pieces of `oldSize` that may be replaced, and the size of the remaining text. */
function replacements(
  textSize: number,
  oldSize: number,
  isIgnored: boolean,
): { count: number; kept: number } {
  if (oldSize === 0) return { count: Math.min(textSize + 1, unbounded), kept: textSize };
  return isIgnored ? { count: 0, kept: textSize } : { count: Math.ceil(textSize / oldSize), kept: 0 };
}

const addressSize: SizeEstimate = { min: 4, max: 16 };

const containsIp: Rule = ({ overload, args, sizeOf: size }) => {
  if (!args[0]) return undefined;
  const own = traversal(add(addressSize, addressSize));
  return { cost: overload === 'cidr_contains_ip_string' ? add(own, traversal(size(args[0]))) : own };
};

const containsCidr: Rule = ({ overload, args, sizeOf: size }) => {
  if (!args[0]) return undefined;
  const own = [traversal(addressSize), fixed(1)].reduce(add, traversal(add(addressSize, addressSize)));
  return { cost: overload === 'cidr_contains_cidr_string' ? add(own, traversal(size(args[0]))) : own };
};

/** The maximum length of a named format's pattern, in characters. */
const formatPatternMax = 128;

const validate: Rule = ({ args, sizeOf: size }) =>
  args[0] && { cost: scale(traversal(size(args[0])), formatPatternMax * regularExpressionCostFactor) };

const comparesAsUnit = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

/** The maximum length of a format's name, in characters. */
const formatNameMax = 64;

const libraryEquality: Rule = ({ args: [one, other] }) => {
  if (!one || !other || !isSameType(one.type, other.type)) return undefined;
  const { name } = one.type;
  if (comparesAsUnit.has(name)) return { cost: fixed(1) };
  if (name === 'kubernetes.NamedFormat') return { cost: traversal({ min: 1, max: formatNameMax }) };
  if (name !== 'kubernetes.URL') return undefined;
  return { cost: traversal({ min: 1, max: other.size?.max ?? 1 }) };
};

const ofSets =
  (passes: number): Rule =>
  ({ args: [one, other], sizeOf: size }) =>
    one && other && { cost: add(scale(multiply(size(one), size(other)), passes), fixed(1)) };

/** A new list costs as much as a literal one, plus the cost of computing it. */
const newList = (size: SizeEstimate, factor = 1): CallEstimate => ({
  cost: add(scale(size, factor), fixed(11)),
  resultSize: size,
});

/** A literal's value; other operands could have any value. */
function literalOr(operand: Operand | undefined, otherwise: number): number {
  const value = operand?.expression?.kind === 'literal' ? operand.expression.value : undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint') return otherwise;
  return Math.max(Number(value), 0);
}

/** A negative difference wraps around in 64 bits. */
const wrapped = (value: number): number => (value < 0 ? unbounded : value);

const slice: Rule = ({ target, args, sizeOf: size }) => {
  if (!target) return undefined;
  return newList(fixed(wrapped(literalOr(args[1], size(target).max) - literalOr(args[0], 0))));
};

const flatten: Rule = ({ target, args, sizeOf: size }) =>
  target && newList(size(target), args.length === 0 ? 1 : literalOr(args[0], unbounded));

/** Elements are compared pairwise. */
const comparing =
  (pick: (context: Context) => Operand | undefined, factor: number): Rule =>
  (context) => {
    const list = pick(context);
    if (!list) return undefined;
    const size = context.sizeOf(list);
    return newList(multiply(size, size), factor);
  };

const sorts: readonly (readonly [string, Rule])[] = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
].flatMap((type): (readonly [string, Rule])[] => {
  const factor = type === 'string' || type === 'bytes' ? 2.1 : 2;
  return [
    [`list_${type}_sort`, comparing(({ target }) => target, factor)],
    [`list_${type}_sortByAssociatedKeys`, comparing(({ args }) => args[0], factor)],
  ];
});

/** These take precedence over all other rules. */
const overloadEstimates: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['list_sets_contains_list', ofSets(1)],
  ['list_sets_intersects_list', ofSets(1)],
  ['list_sets_equivalent_list', ofSets(2)],
  ['list_slice', slice],
  ['list_flatten', flatten],
  ['list_flatten_int', flatten],
  ['lists_range', ({ args }) => newList(fixed(literalOr(args[0], unbounded)))],
  ['list_reverse', ({ target, sizeOf: size }) => target && newList(size(target))],
  ['list_distinct', comparing(({ target }) => target, 2)],
  ...sorts,
]);

const rules = (names: string, rule: Rule): (readonly [string, Rule])[] =>
  names.split(' ').map((name) => [name, rule] as const);

const libraryEstimates: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['check', () => ({ cost: fixed(350_000) })],
  ...rules(
    'serviceAccount path group resource subresource namespace name allowed reason error errored',
    ofUnit,
  ),
  ...rules('fieldSelector labelSelector', selector),
  ...rules('isSorted sum max min indexOf lastIndexOf', traversesElements),
  ...rules(
    'url jsonpatch.escapeKey',
    keepsSize(({ args }) => (args.length === 1 ? args[0] : undefined)),
  ),
  ...rules(
    'lowerAscii upperAscii substring trim',
    keepsSize(({ target }) => target),
  ),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ...rules('find findAll', find),
  ...rules('cidr isIP isCIDR quantity isQuantity semver isSemver', readsFirst(stringCostFactor)),
  [
    'ip',
    (context) =>
      context.overload === 'cidr_ip' ? { cost: fixed(1) } : readsFirst(stringCostFactor)(context),
  ],
  ['ip.isCanonical', readsFirst(2 * stringCostFactor)],
  ...rules('masked prefixLength family isUnspecified isLoopback', ofUnit),
  ...rules('isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', ofUnit),
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
  ['validate', validate],
  ['format.named', ofUnit],
  ...rules('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan', ofUnit),
  ...rules('compareTo add sub major minor patch', ofUnit),
  ...rules('getScheme getHostname getHost getPort getEscapedPath getQuery', ofUnit),
  ['_==_', libraryEquality],
]);

const known = (operand: Operand | undefined): SizeEstimate => operand?.size ?? unknownSize;

/** Up to the length of the shorter side. */
const comparison: Rule = ({ args: [one, other] }) => {
  const max = Math.min(known(one).max, known(other).max);
  return { cost: traversal({ min: max > 0 ? 1 : 0, max }) };
};

const standardEstimates: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['string_format', ({ target }) => target && { cost: traversal(known(target)) }],
  [
    'string_to_bytes',
    ({ args: [text] }) => {
      const size = known(text);
      return { cost: traversal(size), resultSize: { min: size.min, max: Math.min(size.max * 4, unbounded) } };
    },
  ],
  [
    'bytes_to_string',
    ({ args: [bytes] }) => {
      const size = known(bytes);
      return { cost: traversal(size), resultSize: { min: Math.trunc(size.min / 4), max: size.max } };
    },
  ],
  [
    'strings_quote',
    ({ args: [text] }) => {
      const size = known(text);
      return {
        cost: traversal(size),
        resultSize: { min: size.min + 2, max: size.max === unbounded ? 0 : size.max * 2 + 2 },
      };
    },
  ],
  ...['starts_with_string', 'ends_with_string'].map((id): [string, Rule] => [
    id,
    ({ args: [part] }) => ({ cost: traversal(known(part)) }),
  ]),
  ['in_list', ({ args: [, list] }) => ({ cost: known(list) })],
  [
    'matches_string',
    ({ target, args: [pattern] }) => target && { cost: matching(known(target), known(pattern)) },
  ],
  [
    'contains_string',
    ({ target, args: [part] }) =>
      target && { cost: multiply(traversal(known(target)), traversal(known(part))) },
  ],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) =>
    ['string', 'bytes'].map((type): [string, Rule] => [`${name}_${type}`, comparison]),
  ),
  ['equals', comparison],
  ['not_equals', comparison],
]);
