/** `string(x)`. */

import { Double } from './double.ts';
import { Duration } from './duration.ts';
import { CelError } from './error.ts';
import { formatPlainDouble, formatShortestDouble } from './format-double.ts';
import { isInt } from './int.ts';
import { Timestamp, formatTimestamp } from './timestamp.ts';
import { typeNameOf } from './type-of.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

export const cannotConvert = (value: Value, target: string): CelError =>
  new CelError(`type conversion error from '${typeNameOf(value)}' to '${target}'`);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function toText(value: Value): Value {
  if (typeof value === 'string') return value;
  if (isInt(value) || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof Double) return formatShortestDouble(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return `${formatPlainDouble(durationSeconds(value))}s`;
  if (value === null) return 'null';
  if (!(value instanceof Uint8Array)) return cannotConvert(value, 'string');
  try {
    return decoder.decode(value);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** As a double: the sum of whole seconds and the fraction, as in Go. */
const durationSeconds = ({ nanoseconds }: Duration): number =>
  Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
