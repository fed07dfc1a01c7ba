import { typeNameOf } from '@coxswain/apimachinery/jsonpath/value.ts';

/** Converts integers to bigints, the equivalent of Go's int64. */
export function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return typeNameOf(value) === 'int64' ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(withIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIntegers(member)]));
}
