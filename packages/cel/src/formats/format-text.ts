/** `'%s is %d'.format([…])`. */

import { Double } from '../values/double.ts';
import { Duration } from '../values/duration.ts';
import { CelError } from '../values/error.ts';
import { isInt } from '../values/int.ts';
import { ListValue, type ListValue as List, MapValue, type Value } from '../values/value.ts';
import { Timestamp } from '../values/timestamp.ts';
import { typeNameOf } from '../values/type-of.ts';
import { TypeValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import { formatFixed, formatScientific } from './format-number.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { toText } from '../values/to-text.ts';

/** Aborts formatting with the error's message. */
export class FormatError extends Error {}

/** Formats an argument for one clause. */
export type FormatClause = (argument: Value) => string;

export function formatText(format: string, args: List): Value {
  try {
    return expandFormat(format, args.size, (clause, index) => clause(args.at(index)));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return new CelError(error.message);
  }
}

/** The number of decimals of a clause without a precision. */
const precisionDefault = 6;

/**
 * @param apply the clause for the argument with that index
 * @param isChecked before evaluation: errors at the end of the format precede those of arguments
 */
export function expandFormat(
  format: string,
  argumentCount: number,
  apply: (clause: FormatClause, index: number, name: string) => string,
  isChecked = false,
): string {
  let used = 0;
  return format.replaceAll(
    /%(?:%|(?:\.(\d*))?([^]?))/gu,
    (text, precision: string | undefined, name: string) => {
      if (text === '%%') return '%';
      const index = used++;
      const isAtEnd = text === '%';
      const isMissing = index >= argumentCount && !(isChecked && isAtEnd);
      if (isMissing) throw new FormatError(`index ${index} out of range`);
      if (isAtEnd) throw new FormatError('unexpected end of string');
      const clause = clauseOf(precision, name);
      try {
        return apply(clause, index, name);
      } catch (error) {
        throw error instanceof FormatError
          ? new FormatError(`error during formatting: ${error.message}`)
          : error;
      }
    },
  );
}

function clauseOf(precisionText: string | undefined, name: string): FormatClause {
  const wrong = (message: string): FormatError =>
    new FormatError(`could not parse formatting clause: ${message}`);
  if (precisionText !== undefined && name === '') {
    throw wrong('error while parsing precision: could not find end of precision specifier');
  }
  if (precisionText === '') {
    const parsing = 'strconv.Atoi: parsing "": invalid syntax';
    throw wrong(`error while parsing precision: error while converting precision to integer: ${parsing}`);
  }
  const precision = precisionText === undefined ? precisionDefault : Number(precisionText);
  const clause = clauses[name]?.(precision);
  if (!clause) throw wrong(`unrecognized formatting clause "${name}"`);
  return clause;
}

const clauses: Readonly<Record<string, (precision: number) => FormatClause>> = {
  s: () => formatString,
  d: () => formatDecimal,
  f: (precision) => (argument) => formatFixed(doubleOf(argument, 'fixed-point'), precision),
  e: (precision) => (argument) => formatScientific(doubleOf(argument, 'scientific'), precision),
  b: () => formatBinary,
  x: () => formatHex,
  X: () => (argument) => formatHex(argument).toUpperCase(),
  o: () => formatOctal,
};

/** The error of each clause for an argument of another type. */
export const clauseErrors: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

const wrongType = (name: string, argument: Value): FormatError =>
  new FormatError(`${clauseErrors[name]}, was given ${typeNameOf(argument)}`);

function formatString(argument: Value): string {
  if (argument instanceof ListValue) return formatList(argument);
  if (argument instanceof MapValue) return formatMap(argument);
  if (argument instanceof TypeValue) return argument.type.name;
  const text = toText(argument);
  if (argument instanceof Uint8Array && text instanceof CelError) {
    throw new FormatError(`could not convert argument "${text.message}" to string`);
  }
  if (typeof text !== 'string') throw wrongType('s', argument);
  return text;
}

function formatDecimal(argument: Value): string {
  if (isInt(argument)) return argument.toString();
  if (argument instanceof Uint) return argument.value.toString();
  throw wrongType('d', argument);
}

function doubleOf(argument: Value, clause: 'fixed-point' | 'scientific'): number {
  if (argument instanceof Double) return argument.value;
  if (argument === 'NaN') return NaN;
  if (argument === 'Infinity') return Infinity;
  if (argument === '-Infinity') return -Infinity;
  throw wrongType(clause === 'scientific' ? 'e' : 'f', argument);
}

function formatBinary(argument: Value): string {
  if (typeof argument === 'boolean') return argument ? '1' : '0';
  return inRadix(argument, 2) ?? fail('b', argument);
}

const formatOctal = (argument: Value): string => inRadix(argument, 8) ?? fail('o', argument);

const encoder = new TextEncoder();

function formatHex(argument: Value): string {
  const bytes = typeof argument === 'string' ? encoder.encode(argument) : argument;
  if (bytes instanceof Uint8Array)
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return inRadix(argument, 16) ?? fail('x', argument);
}

function inRadix(argument: Value, radix: number): string | undefined {
  if (isInt(argument)) return argument.toString(radix);
  return argument instanceof Uint ? argument.value.toString(radix) : undefined;
}

function fail(name: string, argument: Value): never {
  throw wrongType(name, argument);
}

const formatList = (list: List): string => `[${list.items().map(formatInside).join(', ')}]`;

function formatMap(map: MapValue): string {
  const entries = map.keys().map((key): [string, string] => {
    const isKey = typeof key === 'string' || typeof key === 'boolean' || isInt(key) || key instanceof Uint;
    if (!isKey) throw new FormatError(`no formatting function for map key of type ${typeNameOf(key)}`);
    return [formatInside(key), formatInside(map.get(key)!)];
  });
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** In a list or a map, strings are quoted, and other types are recognizable. */
function formatInside(value: Value): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(formatString(value))}`;
  if (value instanceof Double) {
    const text = formatFixed(value.value, precisionDefault, true);
    return Number.isFinite(value.value) ? text : goQuote(text);
  }
  if (value instanceof Timestamp) return `timestamp(${goQuote(formatString(value))})`;
  if (value instanceof Duration) return `duration(${goQuote(formatString(value))})`;
  const isKnown =
    value === null || typeof value !== 'object' || value instanceof Uint || value instanceof TypeValue;
  if (isKnown || value instanceof ListValue || value instanceof MapValue) return formatString(value);
  throw new FormatError(`no formatting function for ${typeNameOf(value)}`);
}
