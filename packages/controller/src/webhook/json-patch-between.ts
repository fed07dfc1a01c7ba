/** Computes the JSON patch (RFC 6902) from one value to another, the response of a mutating webhook. */

import { deepEqual } from '@coxswain/apimachinery';

/** An operation of a JSON patch. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Returns the JSON patch (RFC 6902) that turns the first value into the second. Undefined fields count as absent.
 * @example
 * jsonPatchBetween({ size: 1 }, { size: 2 }); // [{ op: 'replace', path: '/size', value: 2 }]
 */
export function jsonPatchBetween(before: unknown, after: unknown): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare('', before, after, operations);
  return operations;
}

function compare(path: string, before: unknown, after: unknown, operations: PatchOperation[]): void {
  if (deepEqual(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, operations);
  else if (isObject(before) && isObject(after)) compareObjects(path, before, after, operations);
  else operations.push({ op: 'replace', path, value: after });
}

type Members = Readonly<Record<string, unknown>>;

function compareObjects(path: string, before: Members, after: Members, operations: PatchOperation[]): void {
  for (const name of Object.keys(before)) {
    if (before[name] !== undefined && after[name] === undefined)
      operations.push({ op: 'remove', path: below(path, name) });
  }
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue;
    if (before[name] === undefined) operations.push({ op: 'add', path: below(path, name), value });
    else compare(below(path, name), before[name], value, operations);
  }
}

/** Keeps a common prefix and suffix; in between, elements are changed in place, and the rest is added or removed. */
function compareLists(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  operations: PatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && deepEqual(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(before.at(-1 - end), after.at(-1 - end))) end++;
  const gone = before.length - end;
  const come = after.length - end;
  for (let index = start; index < Math.min(gone, come); index++)
    compare(`${path}/${index}`, before[index], after[index], operations);
  // From the end, so that the positions of earlier elements remain valid.
  for (let index = gone - 1; index >= Math.max(start, come); index--)
    operations.push({ op: 'remove', path: `${path}/${index}` });
  for (let index = Math.max(start, gone); index < come; index++)
    operations.push({ op: 'add', path: `${path}/${index}`, value: after[index] });
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const below = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
