/** `int(x)`, `string(x)` and the other type conversions. */

import { declareFunction, overload, type FunctionDeclaration } from '../declarations/declaration.ts';
import { Double } from '../values/double.ts';
import { Duration, parseDuration } from '../values/duration.ts';
import { CelError } from '../values/error.ts';
import { intFromBigInt, isInt } from '../values/int.ts';
import { Timestamp, isTimestampInRange, parseTimestamp } from '../values/timestamp.ts';
import { cannotConvert, toText } from '../values/to-text.ts';
import { TypeValue } from '../values/type-value.ts';
import { typeOf } from '../values/type-of.ts';
import { Uint, uintMax } from '../values/uint.ts';
import type { Value } from '../values/value.ts';

const integerOverflow = new CelError('integer overflow');
const unsignedOverflow = new CelError('unsigned integer overflow');

function toInt(value: Value): Value {
  if (isInt(value)) return value;
  if (value instanceof Uint) return intFromBigInt(value.value) ?? integerOverflow;
  if (value instanceof Double) return doubleToInt(value.value);
  if (value instanceof Timestamp) return value.seconds;
  if (value instanceof Duration) return intFromBigInt(value.nanoseconds) ?? integerOverflow;
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) {
    return intFromBigInt(BigInt(value.replace('+', ''))) ?? cannotConvert(value, 'int');
  }
  return cannotConvert(value, 'int');
}

/** The bounds themselves are excluded: a double can't represent their neighbors. */
function doubleToInt(value: number): Value {
  const isInside = Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63;
  return isInside ? (intFromBigInt(BigInt(Math.trunc(value))) ?? integerOverflow) : integerOverflow;
}

function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  if (isInt(value)) return value < 0 ? unsignedOverflow : new Uint(BigInt(value));
  if (value instanceof Double) {
    const isInside = value.value >= 0 && value.value < 2 ** 64;
    return isInside ? new Uint(BigInt(Math.trunc(value.value))) : unsignedOverflow;
  }
  if (typeof value === 'string' && /^\d+$/.test(value) && BigInt(value) <= uintMax)
    return new Uint(BigInt(value));
  return cannotConvert(value, 'uint');
}

function toDouble(value: Value): Value {
  if (value instanceof Double) return value;
  if (isInt(value)) return new Double(Number(value));
  if (value instanceof Uint) return new Double(Number(value.value));
  const parsed = typeof value === 'string' ? parseDouble(value) : undefined;
  return parsed === undefined ? cannotConvert(value, 'double') : new Double(parsed);
}

/** As Go's ParseFloat parses it: decimal, hexadecimal with a binary exponent, infinities, NaN. */
function parseDouble(text: string): number | undefined {
  const plain = text.replaceAll(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) {
    const value = Number(plain);
    return Number.isFinite(value) ? value : undefined;
  }
  const special = /^(?:([+-]?)(inf|infinity)|nan)$/i.exec(text);
  if (special) return special[2] === undefined ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const hex = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/i.exec(text);
  if (!hex || (hex[2] === '' && hex[3] === '')) return undefined;
  const magnitude = parseInt(hex[2]! + hex[3]!, 16) * 2 ** (Number(hex[4]) - 4 * hex[3]!.length);
  return Number.isFinite(magnitude) ? magnitude * (hex[1] === '-' ? -1 : 1) : undefined;
}

const trueTexts = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return cannotConvert(value, 'bool');
  return trueTexts.has(value) || (falseTexts.has(value) ? false : cannotConvert(value, 'bool'));
}

const encoder = new TextEncoder();

function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? encoder.encode(value) : cannotConvert(value, 'bytes');
}

function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (isInt(value)) {
    return isTimestampInRange(Number(value))
      ? new Timestamp(Number(value), 0)
      : new CelError('timestamp overflow');
  }
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (!parsed) return cannotConvert(value, 'google.protobuf.Timestamp');
  return isTimestampInRange(parsed.seconds) ? parsed : new CelError('timestamp overflow');
}

function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  return parsed ?? cannotConvert(value, 'google.protobuf.Duration');
}

const conversion = (
  name: string,
  convert: (value: Value) => Value,
  sources: readonly (readonly [string, string])[],
): FunctionDeclaration =>
  declareFunction(
    name,
    sources.map(([id, source]) => overload(id, `(${source}) -> ${name}`, convert)),
  );

export const standardConversions: readonly FunctionDeclaration[] = [
  conversion('bool', toBool, [
    ['bool_to_bool', 'bool'],
    ['string_to_bool', 'string'],
  ]),
  conversion('bytes', toBytes, [
    ['bytes_to_bytes', 'bytes'],
    ['string_to_bytes', 'string'],
  ]),
  conversion('double', toDouble, [
    ['double_to_double', 'double'],
    ['int64_to_double', 'int'],
    ['string_to_double', 'string'],
    ['uint64_to_double', 'uint'],
  ]),
  conversion('duration', toDuration, [
    ['duration_to_duration', 'duration'],
    ['int64_to_duration', 'int'],
    ['string_to_duration', 'string'],
  ]),
  conversion('int', toInt, [
    ['int64_to_int64', 'int'],
    ['double_to_int64', 'double'],
    ['duration_to_int64', 'duration'],
    ['string_to_int64', 'string'],
    ['timestamp_to_int64', 'timestamp'],
    ['uint64_to_int64', 'uint'],
  ]),
  declareFunction(
    'string',
    (
      [
        ['string_to_string', 'string'],
        ['bool_to_string', 'bool'],
        ['bytes_to_string', 'bytes'],
        ['double_to_string', 'double'],
        ['duration_to_string', 'duration'],
        ['int64_to_string', 'int'],
        ['timestamp_to_string', 'timestamp'],
        ['uint64_to_string', 'uint'],
      ] as const
    ).map(([id, source]) => overload(id, `(${source}) -> string`, toText)),
  ),
  conversion('timestamp', toTimestamp, [
    ['timestamp_to_timestamp', 'timestamp'],
    ['int64_to_timestamp', 'int'],
    ['string_to_timestamp', 'string'],
  ]),
  conversion('uint', toUint, [
    ['uint64_to_uint64', 'uint'],
    ['double_to_uint64', 'double'],
    ['int64_to_uint64', 'int'],
    ['string_to_uint64', 'string'],
  ]),
  declareFunction('dyn', [overload('to_dyn', '(A) -> dyn')], (value) => value!),
  declareFunction('type', [overload('type', '(A) -> type(A)')], (value) => new TypeValue(typeOf(value!))),
];
