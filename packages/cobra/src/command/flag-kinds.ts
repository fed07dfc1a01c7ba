/** The option types of pflag, each a constructor: `string({ usage, default, shorthand })`. */
import { oneOf } from './completion.ts';
import { readCsvRecord, writeCsvRecord } from '../csv.ts';
import type { Flag, FlagKind } from './flag.ts';
import { formatGoDuration, parseGoDuration } from '../go-duration.ts';
import { goQuote } from '../go-quote.ts';

type Details<T> = Partial<Omit<Flag<T>, 'kind' | 'usage'>> & { readonly usage: string };

/** Makes a constructor for a custom option type. */
export const flagOf =
  <T>(kind: FlagKind<T>, fallback: T) =>
  (details: Details<T>): Flag<T> => ({ kind, default: fallback, ...details });

export const string = flagOf<string>(
  { typeName: 'string', read: (text) => text, show: (value) => value },
  '',
);

export const bool = flagOf<boolean>(
  { typeName: 'bool', read: readBool, show: String, bareValue: 'true' },
  false,
);

export const int = flagOf<number>(integer('int', -(2n ** 63n), 2n ** 63n - 1n), 0);
export const int32 = flagOf<number>(integer('int32', -(2n ** 31n), 2n ** 31n - 1n), 0);
export const int64 = flagOf<number>(integer('int64', -(2n ** 63n), 2n ** 63n - 1n), 0);
export const uint = flagOf<number>(integer('uint', 0n, 2n ** 64n - 1n), 0);
export const uint32 = flagOf<number>(integer('uint32', 0n, 2n ** 32n - 1n), 0);

export const float = flagOf<number>({ typeName: 'float64', read: readFloat, show: String }, 0);
export const float32 = flagOf<number>({ typeName: 'float32', read: readFloat, show: String }, 0);

/** The value is in milliseconds. */
export const duration = flagOf<number>(
  { typeName: 'duration', read: (text) => parseGoDuration(text), show: formatGoDuration },
  0,
);

/** `-vvv` is 3. */
export const count = flagOf<number>(
  {
    typeName: 'count',
    read: (text, previous) =>
      text === '+1' ? previous + 1 : readInteger(text, -(2n ** 63n), 2n ** 63n - 1n),
    show: String,
    bareValue: '+1',
  },
  0,
);

/** Comma separated and repeatable; values may be quoted as in CSV. */
export const stringSlice = flagOf<readonly string[]>(
  {
    typeName: 'stringSlice',
    read: (text, previous, changed) => {
      const values = text === '' ? [] : readCsvRecord(text);
      return changed ? [...previous, ...values] : values;
    },
    show: (values) => `[${writeCsvRecord(values)}]`,
  },
  [],
);

/** Repeatable; commas are part of the value. */
export const stringArray = flagOf<readonly string[]>(
  {
    typeName: 'stringArray',
    read: (text, previous, changed) => (changed ? [...previous, text] : [text]),
    show: (values) => `[${writeCsvRecord(values)}]`,
  },
  [],
);

/** `a=1,b=2`, repeatable. */
export const stringToString = flagOf<Readonly<Record<string, string>>>(
  {
    typeName: 'stringToString',
    read: (text, previous, changed) => ({ ...(changed ? previous : {}), ...readPairs(text) }),
    show: (values) => `[${writeCsvRecord(sortedPairs(values))}]`,
  },
  {},
);

/** An IPv4 or IPv6 address. */
export const ip = flagOf<string>({ typeName: 'ip', read: readAddress, show: (value) => value }, '');

/** Comma separated and repeatable. */
export const int32Slice = flagOf<readonly number[]>(
  {
    typeName: 'int32Slice',
    read(text, previous, changed) {
      const values = text.split(',').map((one) => readInteger(one, -(2n ** 31n), 2n ** 31n - 1n));
      return changed ? [...previous, ...values] : values;
    },
    show: (values) => `[${values.join(',')}]`,
  },
  [],
);

/** One of a fixed set of words. */
export const choice = <T extends string>(words: readonly T[], typeName = 'string') => {
  const flag = flagOf<T>(
    {
      typeName,
      read(text) {
        const word = words.find((candidate) => candidate === text);
        if (word === undefined)
          throw new Error(`must be one of ${words.map((one) => `"${one}"`).join(', ')}`);
        return word;
      },
      show: (value) => value,
    },
    words[0] as T,
  );
  return (details: Details<T>): Flag<T> => flag({ complete: oneOf(words), ...details });
};

function readAddress(text: string): string {
  const address = text.trim();
  if (!isAddress(address)) throw new Error(`failed to parse IP: ${goQuote(text)}`);
  return address;
}

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const isIpv4 = new RegExp(`^0*${octet}(?:\\.0*${octet}){3}$`);

/** Leading zeros are accepted, as upstream does; an IPv6 address may end in an IPv4 one. */
function isAddress(text: string): boolean {
  if (isIpv4.test(text)) return true;
  const groups = text.replace(/:[\d.]+$/, (end) => (isIpv4.test(end.slice(1)) ? ':0:0' : end));
  const halves = groups.split('::');
  const parts = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.includes(':') || halves.length > 2 || !parts.every((part) => /^[\da-f]{1,4}$/i.test(part)))
    return false;
  return halves.length === 2 ? parts.length < 8 : parts.length === 8;
}

function readBool(text: string): boolean {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false;
  throw new Error(`strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
}

function integer(typeName: string, min: bigint, max: bigint): FlagKind<number> {
  return { typeName, read: (text) => readInteger(text, min, max), show: String };
}

/** Go's base 0: `0x`, `0o`, `0b`, a leading `0` for octal, `_` between digits. */
function readInteger(text: string, min: bigint, max: bigint): number {
  const call = min < 0n ? 'strconv.ParseInt' : 'strconv.ParseUint';
  const shape =
    /^([-+]?)(?:0[xX](_?[\da-fA-F]+(?:_[\da-fA-F]+)*)|0[oO]?(_?[0-7]+(?:_[0-7]+)*)|0[bB](_?[01]+(?:_[01]+)*)|([1-9]\d*(?:_\d+)*|0))$/;
  const match = shape.exec(text);
  if (match === null || (min === 0n && match[1] !== '')) {
    throw new Error(`${call}: parsing ${goQuote(text)}: invalid syntax`);
  }
  const [, sign, hex, octal, binary, decimal] = match;
  const digits = hex ? `0x${hex}` : octal ? `0o${octal}` : binary ? `0b${binary}` : decimal;
  const magnitude = BigInt((digits ?? '0').replaceAll('_', ''));
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < min || value > max) throw new Error(`${call}: parsing ${goQuote(text)}: value out of range`);
  return Number(value);
}

function readFloat(text: string): number {
  if (/^[-+]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) {
    throw new Error(`strconv.ParseFloat: parsing ${goQuote(text)}: invalid syntax`);
  }
  return Number(text);
}

const sortedPairs = (values: Readonly<Record<string, string>>): string[] =>
  Object.keys(values)
    .sort()
    .map((key) => `${key}=${values[key]}`);

function readPairs(text: string): Record<string, string> {
  const equals = text.split('=').length - 1;
  // A single pair may contain commas; only several pairs are read as CSV, as in pflag.
  const pairs = equals === 1 ? [text.replace(/^"+|"+$/g, '')] : equals === 0 ? [text] : readCsvRecord(text);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0) throw new Error(`${pair} must be formatted as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
