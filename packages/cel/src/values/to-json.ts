/** Converts values to JSON for messages, audit annotations and patches; types without a JSON form become null. */

import { formatBase64 } from './base64.ts';
import { Double } from './double.ts';
import { Duration, formatDurationSeconds } from './duration.ts';
import { ListValue, MapValue, Optional, StructValue, type Value } from './value.ts';
import { Timestamp, formatTimestamp } from './timestamp.ts';
import { Uint } from './uint.ts';

export function toJson(value: Value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ListValue) return value.items().map(toJson);
  if (value instanceof MapValue) {
    return Object.fromEntries(value.keys().map((key) => [String(toJson(key)), toJson(value.get(key)!)]));
  }
  if (value instanceof StructValue && value.keys) {
    return Object.fromEntries(value.keys().map((key) => [key, toJson(value.get(key))]));
  }
  if (value instanceof Double) return value.value;
  if (value instanceof Uint)
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : value.value;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof Uint8Array) return formatBase64(value);
  return value instanceof Optional && value.value !== undefined ? toJson(value.value) : null;
}
