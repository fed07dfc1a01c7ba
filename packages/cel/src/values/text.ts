/** Formats values for evaluation messages. */

import { Double } from './double.ts';
import { Duration, formatDurationSeconds } from './duration.ts';
import { CelError } from './error.ts';
import { formatShortestDouble } from './format-double.ts';
import { ListValue, MapValue, type Value } from './value.ts';
import { Timestamp, formatTimestamp } from './timestamp.ts';
import { TypeValue } from './type-value.ts';
import { Uint } from './uint.ts';

export function valueText(value: Value): string {
  if (value === null) return 'NULL_VALUE';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Double) return formatShortestDouble(value.value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (value instanceof ListValue) return `[${value.items().map(valueText).join(', ')}]`;
  if (value instanceof MapValue) {
    return `{${value
      .keys()
      .map((key) => `${valueText(key)}: ${valueText(value.get(key)!)}`)
      .join(', ')}}`;
  }
  return value instanceof CelError ? value.message : '';
}
