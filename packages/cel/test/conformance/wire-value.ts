/** Values of the conformance suite. */

import { parseBase64 } from '../../src/values/base64.ts';
import { Double } from '../../src/values/double.ts';
import { parseDuration } from '../../src/values/duration.ts';
import { CelError } from '../../src/values/error.ts';
import { intFromBigInt } from '../../src/values/int.ts';
import { ArrayList } from '../../src/values/list.ts';
import { mapOf } from '../../src/values/map.ts';
import { parseTimestamp } from '../../src/values/timestamp.ts';
import { TypeValue } from '../../src/values/type-value.ts';
import { Uint } from '../../src/values/uint.ts';
import { valueOf } from '../../src/values/from-json.ts';
import { structType } from '../../src/types/type.ts';
import type { Value } from '../../src/values/value.ts';
import type { WireValue } from './cases.ts';

export function valueOfWire(wire: WireValue): Value {
  if (wire.int64Value !== undefined) return intFromBigInt(BigInt(wire.int64Value))!;
  if (wire.uint64Value !== undefined) return new Uint(BigInt(wire.uint64Value));
  if (wire.doubleValue !== undefined) return new Double(Number(wire.doubleValue));
  if (wire.stringValue !== undefined) return wire.stringValue;
  if (wire.bytesValue !== undefined) return parseBase64(wire.bytesValue)!;
  if (wire.boolValue !== undefined) return wire.boolValue;
  if ('nullValue' in wire) return null;
  if (wire.typeValue !== undefined) return new TypeValue(structType(wire.typeValue));
  if (wire.listValue) return new ArrayList((wire.listValue.values ?? []).map(valueOfWire));
  if (wire.mapValue) {
    const entries = wire.mapValue.entries ?? [];
    return mapOf(entries.map(({ key, value }) => [valueOfWire(key), valueOfWire(value)] as const));
  }
  return objectValue(wire);
}

function objectValue({ objectValue: object }: WireValue): Value {
  const { value } = object ?? {};
  switch (object?.['@type'].replace('type.googleapis.com/', '')) {
    case 'google.protobuf.Timestamp':
      return parseTimestamp(String(value))!;
    case 'google.protobuf.Duration':
      return parseDuration(String(value))!;
    case 'google.protobuf.Struct':
    case 'google.protobuf.ListValue':
    case 'google.protobuf.Value':
      return valueOf(value);
    case 'google.protobuf.Int32Value':
    case 'google.protobuf.Int64Value':
      return intFromBigInt(BigInt(value as string))!;
    case 'google.protobuf.UInt32Value':
    case 'google.protobuf.UInt64Value':
      return new Uint(BigInt(value as string));
    case 'google.protobuf.FloatValue':
    case 'google.protobuf.DoubleValue':
      return new Double(Number(value));
    case 'google.protobuf.BoolValue':
    case 'google.protobuf.StringValue':
      return value as boolean | string;
    case 'google.protobuf.BytesValue':
      return parseBase64(String(value))!;
    default:
      return new CelError('a message that this package does not know');
  }
}
