/** The functions of Go templates, and the two that kubectl adds. */
import { htmlText } from '@coxswain/apimachinery/html-text.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { canonicalBase64 } from '@coxswain/schema/scalars/base64.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';

/** Integers are bigints (Go's int and int64); all others are numbers (float64). */
export type TemplateFunction = (args: readonly unknown[]) => unknown;

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
  len: ([value]) => lengthOf(value),
  index: ([value, ...keys]) => keys.reduce(indexOf, value),
  call: ([value]) => {
    throw new Error(isNil(value) ? 'call of nil' : `non-function of type ${goTypeName(value)}`);
  },
  slice: ([value, from = 0n, to]) =>
    (value as string | unknown[]).slice(Number(from), to === undefined ? undefined : Number(to)),
  print: (args) => joinPrint(args),
  println: (args) => `${args.map(goText).join(' ')}\n`,
  printf: ([format, ...args]) => goFormat(String(format), args),
  html: (args) => htmlText(joinPrint(args)).replaceAll('\0', '\uFFFD'),
  js: (args) =>
    JSON.stringify(joinPrint(args))
      .slice(1, -1)
      .replaceAll("'", "\\'")
      .replaceAll('<', '\\u003C')
      .replaceAll('>', '\\u003E'),
  urlquery: (args) => encodeURIComponent(joinPrint(args)).replaceAll('%20', '+'),
  eq: ([first, ...others]) => {
    if (others.length === 0) throw new Error('missing argument for comparison');
    return others.some((other) => same(first, other));
  },
  ne: ([first, second]) => !same(first, second),
  lt: ([first, second]) => less(first, second),
  le: ([first, second]) => less(first, second) || same(first, second),
  gt: ([first, second]) => !(less(first, second) || same(first, second)),
  ge: ([first, second]) => !less(first, second),
  exists: ([value, ...keys]) =>
    keys.every((_key, index) => has(keys.slice(0, index).reduce(indexOrNothing, value), keys[index])),
  base64decode: ([value]) => decodeBase64(String(value)),
};

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

function lengthOf(value: unknown): bigint {
  if (typeof value === 'string') return BigInt(new TextEncoder().encode(value).length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (typeof value === 'object' && value !== null) return BigInt(Object.keys(value).length);
  throw new Error(
    value === null || value === undefined ? 'len of nil pointer' : `len of type ${goTypeName(value)}`,
  );
}

export function indexOf(value: unknown, key: unknown): unknown {
  if (value === null || value === undefined) throw new Error('index of untyped nil');
  if (Array.isArray(value)) {
    if (typeof key !== 'bigint') throw new Error(`cannot index slice/array with type ${goTypeName(key)}`);
    if (key < 0 || key >= value.length) throw new Error(`index out of range: ${key}`);
    return value[Number(key)] as unknown;
  }
  if (typeof value === 'object')
    return Object.hasOwn(value, String(key)) ? (value as Record<string, unknown>)[String(key)] : undefined;
  throw new Error(`can't index item of type ${goTypeName(value)}`);
}

const isNil = (value: unknown): boolean => value === null || value === undefined;

const has = (value: unknown, key: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, String(key));

const indexOrNothing = (value: unknown, key: unknown): unknown =>
  has(value, key) ? indexOf(value, key) : undefined;

export const goTypeName = (value: unknown): string =>
  typeof value === 'string'
    ? 'string'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'number' || typeof value === 'bigint'
        ? typeof value === 'number'
          ? 'float64'
          : 'int'
        : Array.isArray(value)
          ? '[]interface {}'
          : value === null || value === undefined
            ? '<nil>'
            : 'map[string]interface {}';

function same(first: unknown, second: unknown): boolean {
  const nothing = (value: unknown) => value === null || value === undefined;
  if (nothing(first) || nothing(second)) return nothing(first) && nothing(second);
  if (typeof first !== typeof second) throw new Error('incompatible types for comparison');
  return first === second;
}

function less(first: unknown, second: unknown): boolean {
  if (typeof first !== typeof second) throw new Error('incompatible types for comparison');
  return (first as string) < (second as string);
}

/** Formats a value as a template prints it. */
export function goText(value: unknown): string {
  return value === undefined || value === null ? '<no value>' : goValue(value);
}

/** Like Go's fmt.Sprint: a space between values if neither is text. */
function joinPrint(args: readonly unknown[]): string {
  return args
    .map((value, index) => {
      const space = index > 0 && typeof value !== 'string' && typeof args[index - 1] !== 'string';
      return (space ? ' ' : '') + (value === undefined || value === null ? '<nil>' : goValue(value));
    })
    .join('');
}

/** Like Go's fmt.Sprintf, as far as templates need it. */
function goFormat(format: string, args: readonly unknown[]): string {
  let next = 0;
  const text = format.replace(
    /%([-+ #0]*)(\d+)?(?:\.(\d+))?([%a-zA-Z])/g,
    (_all, flags: string, width: string | undefined, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      if (next >= args.length) return `%!${verb}(MISSING)`;
      return pad(formatOne(args[next++], verb, flags, precision), flags, width);
    },
  );
  return next < args.length
    ? `${text}%!(EXTRA ${args
        .slice(next)
        .map((one) => `${goTypeName(one)}=${goValue(one)}`)
        .join(', ')})`
    : text;
}

function pad(text: string, flags: string, width: string | undefined): string {
  if (width === undefined) return text;
  if (flags.includes('-')) return text.padEnd(Number(width));
  return text.padStart(Number(width), flags.includes('0') ? '0' : ' ');
}

function formatOne(value: unknown, verb: string, flags: string, precision: string | undefined): string {
  const wrong = () =>
    value === undefined || value === null
      ? `%!${verb}(<nil>)`
      : `%!${verb}(${goTypeName(value)}=${goValue(value)})`;
  if (verb !== 'v' && verb !== 'T' && (value === undefined || value === null)) return wrong();
  const isInt = typeof value === 'bigint';
  const isFloat = typeof value === 'number';
  switch (verb) {
    case 'v':
      return value === undefined || value === null ? '<nil>' : goValue(value);
    case 's':
      if (typeof value !== 'string' && typeof value !== 'object') return wrong();
      return precision === undefined ? goValue(value) : goValue(value).slice(0, Number(precision));
    case 'q':
      return typeof value === 'string' ? goQuote(value) : wrong();
    case 'd':
      return isInt ? `${flags.includes('+') && value >= 0 ? '+' : ''}${value}` : wrong();
    case 'f':
      return isFloat ? value.toFixed(precision === undefined ? 6 : Number(precision)) : wrong();
    case 'g':
    case 'e':
      return isFloat ? (verb === 'g' ? String(value) : value.toExponential(Number(precision ?? 6))) : wrong();
    case 'x':
    case 'X': {
      const hex = isInt
        ? value.toString(16)
        : [...new TextEncoder().encode(String(value))]
            .map((byte) => byte.toString(16).padStart(2, '0'))
            .join('');
      return verb === 'X' ? hex.toUpperCase() : hex;
    }
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong();
    case 'T':
      return goTypeName(value);
    default:
      return wrong();
  }
}
