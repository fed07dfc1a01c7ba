/** The functions of Go templates, and the two that kubectl adds. */
import { htmlText } from '@coxswain/apimachinery/html-text.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { canonicalBase64 } from '@coxswain/schema/scalars/base64.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';
import { goFormat, goTypeName, type IntegerType } from './printf.ts';

/** How the template has an argument. */
export interface Written {
  readonly text: string;
  readonly integers: IntegerType;
}

/** Integers are bigints (Go's int and int64); all others are numbers (float64). */
export type TemplateFunction = (args: readonly unknown[], written: readonly Written[]) => unknown;

export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}

export const functions: Readonly<Record<string, TemplateFunction>> = {
  and: (args) => args.find((value) => !isTrue(value)) ?? args.at(-1),
  or: (args) => args.find(isTrue) ?? args.at(-1),
  not: ([value]) => !isTrue(value),
  len: ([value], [written]) => lengthOf(value, written),
  index: ([value, ...keys], [whole, ...written]) =>
    keys.reduce((found, key, at) => indexOf(found, key, at === 0 ? whole : undefined, written[at]), value),
  call: ([value], [written]) => {
    throw new Error(
      isNil(value) ? 'call of nil' : `non-function ${written?.text} of type ${goTypeName(value)}`,
    );
  },
  slice: ([value, ...indexes], [whole, ...written]) => sliceOf(value, indexes, whole, written),
  print: (args) => joinPrint(args, '<nil>'),
  println: (args) => `${args.map(goText).join(' ')}\n`,
  printf: ([format, ...args], [, ...written]) =>
    goFormat(
      String(format),
      args,
      written.map(({ integers }) => integers),
    ),
  html: (args) => htmlText(joinPrint(args, '<no value>')).replaceAll('\0', '\uFFFD'),
  js: (args) =>
    joinPrint(args, '<no value>')
      .replace(/[\\'"]/g, '\\$&')
      // oxlint-disable-next-line no-control-regex -- they are escaped
      .replace(/[<>&=\0-\x1F]|[^\P{C}\0-\x7F]/gu, escaped),
  urlquery: (args) =>
    encodeURIComponent(joinPrint(args, '<no value>'))
      .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+'),
  eq: ([first, ...others], written) => {
    if (others.length === 0) throw new Error('missing argument for comparison');
    return others.some((other, at) => same(first, other, [written[0], written[at + 1]]));
  },
  ne: ([first, second], written) => !same(first, second, written),
  lt: ([first, second], written) => less(first, second, written),
  le: ([first, second], written) => less(first, second, written) || same(first, second, written),
  gt: ([first, second], written) => !(less(first, second, written) || same(first, second, written)),
  ge: ([first, second], written) => !less(first, second, written),
  exists: ([value, ...keys]) =>
    keys.every((_key, index) => has(keys.slice(0, index).reduce(indexOrNothing, value), keys[index])),
  base64decode: ([value]) => decodeBase64(String(value)),
};

/** Those whose first argument must be text. */
export const textFunctions: ReadonlySet<string> = new Set(['printf', 'base64decode']);

const escaped = (one: string): string =>
  `\\u${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The number of arguments of functions; others accept any number. */
export const argumentCounts: Readonly<Record<string, { readonly least: number; readonly isExact: boolean }>> =
  {
    ...counted(1, true, ['not', 'len', 'base64decode']),
    ...counted(2, true, ['ne', 'lt', 'le', 'gt', 'ge']),
    ...counted(1, false, ['call', 'and', 'or', 'index', 'slice', 'printf', 'eq', 'exists']),
  };

function counted(least: number, isExact: boolean, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { least, isExact }]));
}

function decodeBase64(text: string): string {
  try {
    const clean = canonicalBase64(text);
    return new TextDecoder().decode(Uint8Array.from(atob(clean), (one) => one.charCodeAt(0)));
  } catch (failure) {
    throw new Error(`base64 decode failed: ${messageOf(failure)}`, { cause: failure });
  }
}

function lengthOf(value: unknown, written: Written | undefined): bigint {
  if (typeof value === 'string') return BigInt(new TextEncoder().encode(value).length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (typeof value === 'object' && value !== null) return BigInt(Object.keys(value).length);
  throw new Error(
    isNil(value)
      ? 'reflect: call of reflect.Value.Type on zero Value'
      : `len of type ${goTypeName(value, written?.integers)}`,
  );
}

/** Lists and texts (as bytes) have integers, maps have names as keys. */
function indexOf(value: unknown, key: unknown, whole?: Written, written?: Written): unknown {
  if (isNil(value)) throw new Error(whole === undefined ? 'index of nil pointer' : 'index of untyped nil');
  if (Array.isArray(value) || typeof value === 'string') {
    const items = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    const at = indexWithin(key, items.length, written);
    if (at === items.length)
      throw new Error(`reflect: ${typeof value === 'string' ? 'string' : 'slice'} index out of range`);
    return typeof value === 'string' ? BigInt(items[at] as number) : (items[at] as unknown);
  }
  if (typeof value !== 'object')
    throw new Error(`can't index item of type ${goTypeName(value, whole?.integers)}`);
  if (isNil(key)) throw new Error('value is nil; should be of type string');
  if (typeof key !== 'string')
    throw new Error(`value has type ${goTypeName(key, written?.integers)}; should be string`);
  return Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** From 0 to the length, which slices may end at. */
function indexWithin(key: unknown, length: number, written: Written | undefined): number {
  if (isNil(key)) throw new Error('cannot index slice/array with nil');
  if (typeof key !== 'bigint')
    throw new Error(`cannot index slice/array with type ${goTypeName(key, written?.integers)}`);
  if (key < 0 || key > length) throw new Error(`index out of range: ${key}`);
  return Number(key);
}

function sliceOf(
  value: unknown,
  indexes: readonly unknown[],
  whole: Written | undefined,
  written: readonly Written[],
): unknown {
  if (isNil(value)) throw new Error('slice of untyped nil');
  if (indexes.length > 3) throw new Error(`too many slice indexes: ${indexes.length}`);
  const isText = typeof value === 'string';
  if (isText && indexes.length === 3) throw new Error('cannot 3-index slice a string');
  if (!isText && !Array.isArray(value))
    throw new Error(`can't slice item of type ${goTypeName(value, whole?.integers)}`);
  const items = isText ? new TextEncoder().encode(value) : (value as readonly unknown[]);
  const [from = 0, to = items.length, limit = to] = indexes.map((index, at) =>
    indexWithin(index, items.length, written[at]),
  );
  if (from > to) throw new Error(`invalid slice index: ${from} > ${to}`);
  if (to > limit) throw new Error(`invalid slice index: ${to} > ${limit}`);
  const part = items.slice(from, to);
  return isText ? new TextDecoder().decode(part as Uint8Array) : part;
}

const isNil = (value: unknown): boolean => value === null || value === undefined;

const has = (value: unknown, key: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, String(key));

const indexOrNothing = (value: unknown, key: unknown): unknown =>
  has(value, key) ? (value as Record<string, unknown>)[String(key)] : undefined;

const isBasic = (value: unknown): boolean => !isNil(value) && typeof value !== 'object';

/** What Go says of two values that it doesn't compare. */
const incompatible = (first: unknown, second: unknown, [a, b]: readonly (Written | undefined)[]): Error =>
  new Error(
    `incompatible types for comparison: ${goTypeName(first, a?.integers)} and ${goTypeName(second, b?.integers)}`,
  );

function same(first: unknown, second: unknown, written: readonly (Written | undefined)[]): boolean {
  if (isNil(first) || isNil(second)) return isNil(first) && isNil(second);
  if (isBasic(first) && typeof first === typeof second) return first === second;
  if (isBasic(first) || isBasic(second)) throw incompatible(first, second, written);
  if (Array.isArray(first) !== Array.isArray(second)) {
    throw new Error(
      `non-comparable types ${goValue(first)}: ${goTypeName(first)}, ${goTypeName(second)}: ${goValue(second)}`,
    );
  }
  throw new Error(`non-comparable type ${goValue(second)}: ${goTypeName(second)}`);
}

function less(first: unknown, second: unknown, written: readonly (Written | undefined)[]): boolean {
  if (!isBasic(first) || !isBasic(second)) throw new Error('invalid type for comparison');
  if (typeof first !== typeof second) throw incompatible(first, second, written);
  if (typeof first === 'boolean') throw new Error('invalid type for comparison');
  return (first as string) < (second as string);
}

/** Formats a value as a template prints it. */
export function goText(value: unknown): string {
  return isNil(value) ? '<no value>' : goValue(value);
}

/** Like Go's fmt.Sprint: a space between values if neither is text. */
function joinPrint(args: readonly unknown[], nothing: string): string {
  return args
    .map((value, index) => {
      const space = index > 0 && typeof value !== 'string' && typeof args[index - 1] !== 'string';
      return (space ? ' ' : '') + (isNil(value) ? nothing : goValue(value));
    })
    .join('');
}
