/** Equality of plain JSON data. */

/** Ignores the order of members; `undefined` members count as absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameNumber(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b, deepEqual);
  return !Array.isArray(b) && sameMembers(a as Members, b as Members, deepEqual, isAbsent);
}

/** Like upstream's `equality.Semantic`: null, an empty list, an empty map and an absent member are all equal. */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameNumber(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b, semanticDeepEqual);
  return !Array.isArray(b) && sameMembers(a as Members, b as Members, semanticDeepEqual, isEmpty);
}

type Members = Readonly<Record<string, unknown>>;
type Equality = (a: unknown, b: unknown) => boolean;

function sameItems(a: readonly unknown[], b: readonly unknown[], equal: Equality): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index])) return false;
  return true;
}

function sameMembers(a: Members, b: Members, equal: Equality, ignored: (value: unknown) => boolean): boolean {
  for (const key in a) {
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    if (a[key] === other) continue;
    if (!equal(a[key], other) && !(ignored(a[key]) && ignored(other))) return false;
  }
  for (const key in b) {
    if (!Object.hasOwn(a, key) && !ignored(b[key])) return false;
  }
  return true;
}

const isAbsent = (value: unknown): boolean => value === undefined;

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/**
 * Large integers are bigints, small ones numbers: 5 equals 5n. A double that represents many integers equals only what
 * it prints as. NaN equals itself.
 */
function sameNumber(a: unknown, b: unknown): boolean {
  if (typeof a === 'bigint' && typeof b === 'number') return String(a) === String(b);
  if (typeof a === 'number' && typeof b === 'bigint') return sameNumber(b, a);
  return typeof a === 'number' && typeof b === 'number' && Number.isNaN(a) && Number.isNaN(b);
}
