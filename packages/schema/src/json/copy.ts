import { isRawNumber } from '../scalars/raw-number.ts';
import { setMember } from './tree.ts';

/** A copy of plain values that shares nothing with them. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    setMember(copy, name, copyOf((value as Record<string, unknown>)[name]));
  return copy;
}
