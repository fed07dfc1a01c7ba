import { countCodePoints } from './code-points.ts';
import { ListValue, MapValue, OpaqueValue, Optional, StructValue, type Value } from './value.ts';

/** The size that determines the cost of an operation: characters, bytes, elements, entries; 1 for anything else. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return countCodePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof StructValue) return value.entryCount;
  if (value instanceof OpaqueValue) return value.costSize;
  return 1;
}

/** The same, including the content of optionals. */
export function sizeWithin(value: Value): number {
  return value instanceof Optional && value.value !== undefined ? sizeWithin(value.value) : sizeOf(value);
}
