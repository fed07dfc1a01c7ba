/** Formats values as in the recordings. */

import {
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
  isError,
  type Value,
} from '../../src/index.ts';
import { formatPlainDouble, formatShortestDouble } from '../../src/values/format-double.ts';
import { formatTimestamp } from '../../src/values/timestamp.ts';

export function showValue(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll(/[<>&]/g, escaped);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof ListValue) return `[${value.items().map(showValue).join(',')}]`;
  if (value instanceof MapValue) return showEntries(value.keys(), (key) => value.get(key)!);
  if (value instanceof StructValue && value.keys)
    return showEntries(value.keys(), (key) => value.get(String(key)));
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none' : `optional(${showValue(value.value)})`;
  if (value instanceof Double) return `double:${formatShortestDouble(value.value)}`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Timestamp) return `google.protobuf.Timestamp:${formatTimestamp(value)}`;
  if (value instanceof Duration)
    return `google.protobuf.Duration:${formatPlainDouble(Number(value.nanoseconds) / 1e9)}s`;
  if (value instanceof TypeValue) return `type:${value.type.name}`;
  if (value instanceof OpaqueValue) return `<${value.type.name}>`;
  return isError(value) ? `ERR ${value.message}` : `b${Buffer.from(value as Uint8Array).toString('hex')}`;
}

const showEntries = (keys: readonly Value[], get: (key: Value) => Value): string =>
  `{${keys
    .map((key) => `${showValue(key)}:${showValue(get(key))}`)
    .toSorted()
    .join(',')}}`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
