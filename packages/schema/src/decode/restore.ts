/**
 * Decodes the result of a strategic merge patch or an apply. Upstream has a separate converter for this (its
 * "unstructured converter"), with other messages than its JSON decoder, other tolerance (3.0 is an integer) and another
 * order (declared; unknown members sorted).
 */

import { canonicalBase64, toBase64 } from '../scalars/base64.ts';
import { goQuote } from '../scalars/go-quote.ts';
import { isRawNumber } from '../scalars/raw-number.ts';
import { setMember } from '../json/tree.ts';
import { shapeOf } from '../shape.ts';
import {
  resolved,
  type ListType,
  type MapType,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';
import { clean, type Cleaned } from './clean.ts';
import { DecodeError } from '../json/decode-error.ts';

/**
 * Returns values for the fast decoder. @throws DecodeError 'type' `cannot restore map from slice`, `unrecognized type:
 * int32`, …
 */
export function restore(type: StructType, value: unknown): Cleaned {
  const unknown: string[] = [];
  const restored = restoreStruct(type, value, '', unknown);
  return { value: restored, problems: unknown.sort() };
}

function restoreValue(type: Type, value: unknown, path: string, unknown: string[]): unknown {
  if (value === null || value === undefined) return null;
  const actual = resolved(type);
  switch (actual.form) {
    case 'struct':
      return restoreStruct(actual, value, path, unknown);
    case 'map':
      return restoreMap(actual, value, path, unknown);
    case 'list':
      return restoreList(actual, value, path, unknown);
    case 'scalar':
      return restoreScalar(actual, value);
  }
}

function restoreStruct(type: StructType, value: unknown, path: string, unknown: string[]): unknown {
  if (kindOf(value) !== 'map') fail(`cannot restore struct from: ${kindOf(value)}`);
  const source = value as Record<string, unknown>;
  const { members, byName } = shapeOf(type);
  const object: Record<string, unknown> = {};
  for (const { name, field } of members) {
    if (!Object.hasOwn(source, name)) continue;
    object[name] = restoreValue(field.type, source[name], joined(path, name), unknown);
  }
  for (const name of Object.keys(source)) {
    if (!byName.has(name)) unknown.push(`unknown field ${goQuote(joined(path, name))}`);
  }
  return object;
}

function restoreMap({ value: valueType }: MapType, value: unknown, path: string, unknown: string[]): unknown {
  if (kindOf(value) !== 'map') fail(`cannot restore map from ${kindOf(value)}`);
  const source = value as Record<string, unknown>;
  const map: Record<string, unknown> = {};
  for (const key of Object.keys(source))
    setMember(map, key, restoreValue(valueType, source[key], path, unknown));
  return map;
}

function restoreList({ element }: ListType, value: unknown, path: string, unknown: string[]): unknown {
  if (!Array.isArray(value)) fail(`cannot restore slice from ${kindOf(value)}`);
  return (value as unknown[]).map((item, index) => restoreValue(element, item, `${path}[${index}]`, unknown));
}

function restoreScalar(type: ScalarType, value: unknown): unknown {
  const kind = kindOf(value);
  switch (type.scalar) {
    case 'string':
      return kind === 'string'
        ? value
        : fail(kind === 'int64' ? 'cannot convert int64 to string' : 'unrecognized type: string');
    case 'bool':
      return kind === 'bool' ? value : fail('unrecognized type: bool');
    case 'int32':
    case 'int64':
      return restoreInteger(type.scalar, value, kind);
    case 'float64':
      return kind === 'int64' || kind === 'float64' ? Number(value) : fail('unrecognized type: float64');
    case 'bytes':
      return restoreBytes(value, kind);
    default:
      return restoreByJson(type, value);
  }
}

function restoreInteger(scalar: 'int32' | 'int64', value: unknown, kind: string): unknown {
  if (kind !== 'int64' && kind !== 'float64') fail(`unrecognized type: ${scalar}`);
  const number = isRawNumber(value) ? Number(JSON.stringify(value)) : (value as number | bigint);
  if (typeof number === 'number' && !Number.isInteger(number)) fail(`cannot convert float64 to ${scalar}`);
  return integerOf(scalar, number);
}

/** Converts as amd64 does: an overflow of 64 bits becomes the smallest integer, and 32 bits keep its lower half. */
function integerOf(scalar: 'int32' | 'int64', number: number | bigint): number | bigint {
  if (scalar === 'int64' && Number.isSafeInteger(number)) return number;
  const exact = BigInt(number);
  const integer = BigInt.asIntN(64, exact) === exact ? exact : int64Min;
  return scalar === 'int64' ? integer : Number(BigInt.asIntN(32, integer));
}

const int64Min = -(2n ** 63n);

function restoreBytes(value: unknown, kind: string): string {
  if (Array.isArray(value)) return toBase64(Uint8Array.from(value, restoreByte));
  if (kind !== 'string') fail(`cannot restore slice from ${kind}`);
  try {
    return canonicalBase64(value as string);
  } catch (error) {
    return fail(`error decoding from json: ${(error as Error).message}`);
  }
}

/** Elements of a list of integers are accepted as bytes, too. */
function restoreByte(value: unknown): number {
  if (value === null) return 0;
  const kind = kindOf(value);
  if (kind !== 'int64' && kind !== 'float64') return fail('unrecognized type: uint8');
  if (kind === 'float64' && !Number.isInteger(Number(value))) return fail('cannot convert float64 to uint8');
  return Number(BigInt.asUintN(8, BigInt(value as number | bigint)));
}

/** Types with an unmarshaller: its errors don't contain the path. */
function restoreByJson(type: ScalarType, value: unknown): unknown {
  const holder: StructType = { ...emptyStruct, fields: { value: { presence: 'pointer', pb: 0, type } } };
  try {
    return (clean(holder, { value }).value as { value: unknown }).value;
  } catch (error) {
    return fail((error as Error).message.replace(/Go struct field \S+ of type/, 'Go value of type'));
  }
}

const emptyStruct: StructType = {
  form: 'struct',
  name: '',
  fields: {},
  atomic: false,
  preserveUnknown: false,
  unions: [],
};

/** Go's kind of a JSON value. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isRawNumber(value) ? 'float64' : 'map';
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function fail(message: string): never {
  throw new DecodeError('type', message);
}
