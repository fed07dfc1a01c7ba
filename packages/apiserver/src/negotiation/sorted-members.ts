/** Sorts the members of objects alphabetically, as Go does when it encodes a map. */
import { isRawNumber } from '@coxswain/schema/scalars/raw-number.ts';
import { setMember } from '@coxswain/schema/json/tree.ts';

/** @param depth the number of levels that are sorted */
export function withSortedMembers(value: unknown, depth: number): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withSortedMembers(item, depth));
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    setMember(sorted, name, withSortedMembers(member, depth - 1));
  return sorted;
}
