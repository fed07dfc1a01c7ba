/**
 * A patched object as error messages quote it. Upstream patches text: what the patch has traversed is written with
 * sorted members, everything else keeps the text of the original object.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { encode, parseJson, plainJson, type StructType } from '@coxswain/schema';
import { isRawNumber } from '@coxswain/schema/scalars/raw-number.ts';
import { writeAny } from '@coxswain/schema/json/write.ts';

/** The parts of a value that were traversed: `all` of it, some members or items, or nothing. */
export type Touched = 'all' | { readonly [member: string]: Touched | undefined } | undefined;

/** The object as upstream sees it, with members in their declared order. */
export const writtenObject = (type: StructType, object: KubeObject): unknown =>
  plainJson(parseJson(encode(type, object)), 'all').value;

export function printedPatched(value: unknown, touched: Touched): string {
  if (touched === undefined || typeof value !== 'object' || value === null || isRawNumber(value))
    return writeAny(value);
  const below = (member: string): Touched => (touched === 'all' ? 'all' : touched[member]);
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => printedPatched(item, below(String(index)))).join(',')}]`;
  }
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${writeAny(name)}:${printedPatched(member, below(name))}`).join(',')}}`;
}

/** A merge traverses what it merges and what it adds. */
export function touchedByMerge(patch: unknown): Touched {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return 'all';
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, touchedByMerge(value)]));
}

/** An operation traverses the path to its target. */
export function touchedByOperations(pointers: readonly string[]): Touched {
  const touched: Record<string, Touched> = {};
  for (const pointer of pointers) {
    let at = touched;
    for (const segment of pointer.split('/').slice(1, -1)) {
      const member = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      at = (at[member] ??= {}) as Record<string, Touched>;
    }
  }
  return touched;
}
