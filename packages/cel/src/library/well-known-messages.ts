/** Message types of protobuf that represent simple values: `google.protobuf.Int64Value{value: 1}` is 1. */

import type { TypeProvider } from '../check/scope.ts';
import { parseType } from '../types/signature.ts';
import { dynType, nullableType, type CelType } from '../types/type.ts';
import { Double } from '../values/double.ts';
import { Duration, isDurationInRange } from '../values/duration.ts';
import { CelError } from '../values/error.ts';
import { emptyList } from '../values/list.ts';
import { mapOf } from '../values/map.ts';
import { isTimestampInRange, Timestamp } from '../values/timestamp.ts';
import { Uint } from '../values/uint.ts';
import type { Value } from '../values/value.ts';

interface Message {
  readonly type: CelType;
  readonly fields: Readonly<Record<string, CelType>>;
  readonly construct: (fields: ReadonlyMap<string, Value>) => Value;
}

/** @param zero the value when the field is absent */
const wrapper = (
  typeName: string,
  zero: Value,
  convert: (value: Value) => Value = (value) => value,
): Message => ({
  type: nullableType(parseType(typeName)),
  fields: { value: parseType(typeName) },
  construct: (fields) => convert(fields.get('value') ?? zero),
});

const inRange =
  (min: number, max: number) =>
  (value: Value): Value => {
    const number = value instanceof Uint ? value.value : value;
    const isInside =
      (typeof number === 'number' || typeof number === 'bigint') && number >= min && number <= max;
    return isInside
      ? value
      : new CelError(value instanceof Uint ? 'unsigned integer overflow' : 'integer overflow');
  };

const asFloat = (value: Value): Value =>
  value instanceof Double ? new Double(Math.fround(value.value)) : value;

const numberOf = (value: Value | undefined): number =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;

function newTimestamp(fields: ReadonlyMap<string, Value>): Value {
  const seconds = numberOf(fields.get('seconds'));
  if (!isTimestampInRange(seconds)) return new CelError('timestamp overflow');
  return new Timestamp(seconds, numberOf(fields.get('nanos')));
}

function newDuration(fields: ReadonlyMap<string, Value>): Value {
  const total =
    BigInt(numberOf(fields.get('seconds'))) * 1_000_000_000n + BigInt(numberOf(fields.get('nanos')));
  return isDurationInRange(total) ? new Duration(total) : new CelError('integer overflow');
}

const int = parseType('int');
const listOfDyn = parseType('list(dyn)');
const mapOfDyn = parseType('map(string, dyn)');

const messages: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['BoolValue', wrapper('bool', false)],
  ['BytesValue', wrapper('bytes', new Uint8Array())],
  ['DoubleValue', wrapper('double', new Double(0))],
  ['FloatValue', wrapper('double', new Double(0), asFloat)],
  ['Int32Value', wrapper('int', 0, inRange(-(2 ** 31), 2 ** 31 - 1))],
  ['Int64Value', wrapper('int', 0)],
  ['StringValue', wrapper('string', '')],
  ['UInt32Value', wrapper('uint', new Uint(0n), inRange(0, 2 ** 32 - 1))],
  ['UInt64Value', wrapper('uint', new Uint(0n))],
  [
    'Timestamp',
    { type: parseType('timestamp'), fields: { seconds: int, nanos: int }, construct: newTimestamp },
  ],
  ['Duration', { type: parseType('duration'), fields: { seconds: int, nanos: int }, construct: newDuration }],
  [
    'ListValue',
    {
      type: listOfDyn,
      fields: { values: listOfDyn },
      construct: (fields) => fields.get('values') ?? emptyList,
    },
  ],
  [
    'Struct',
    {
      type: mapOfDyn,
      fields: { fields: mapOfDyn },
      construct: (fields) => fields.get('fields') ?? mapOf([]),
    },
  ],
  [
    'Value',
    {
      type: dynType,
      fields: {
        null_value: int,
        number_value: parseType('double'),
        string_value: parseType('string'),
        bool_value: parseType('bool'),
        struct_value: mapOfDyn,
        list_value: listOfDyn,
      },
      construct: (fields) => {
        const [[name, value] = ['null_value', null]] = fields;
        return name === 'null_value' ? null : value;
      },
    },
  ],
]);

const prefix = 'google.protobuf.';

const find = (name: string): Message | undefined =>
  name.startsWith(prefix) ? messages.get(name.slice(prefix.length)) : undefined;

export const wellKnownMessages: TypeProvider = {
  findStruct: (name) => find(name)?.type,
  findField: (name, field) => find(name)?.fields[field],
  findConstant: (name) => (name === 'google.protobuf.NullValue.NULL_VALUE' ? 0 : undefined),
  construct: (name, fields) => find(name)?.construct(fields) ?? null,
};
