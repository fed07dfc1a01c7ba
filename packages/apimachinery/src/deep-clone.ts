import { isRawNumber } from '@coxswain/schema/scalars/raw-number.ts';

/** A copy of plain JSON data that shares nothing with the original. Bigints, raw numbers and strings are reused. */
export function deepClone<T>(value: T): T {
  return cloneAny(value) as T;
}

function cloneAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(cloneAny);
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key in source) {
    if (!Object.hasOwn(source, key)) continue;
    if (key === '__proto__') define(copy, key, cloneAny(source[key]));
    else copy[key] = cloneAny(source[key]);
  }
  return copy;
}

/** Sets an ordinary member whatever its name is: `__proto__` is a valid one in JSON. */
export function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
