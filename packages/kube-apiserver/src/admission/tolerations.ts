/** Compares and merges tolerations. */
import type { Toleration } from '@coxswain/api/core/v1/taint.ts';

/** Merges both lists without tolerations that another one covers. Of equal ones the first is kept. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [i, one] of all.entries()) {
    const isRedundant =
      merged.some((kept) => isCovered(one, kept)) ||
      all.slice(i + 1).some((later) => !isSame(one, later) && isCovered(one, later));
    if (!isRedundant) merged.push(one);
  }
  return merged;
}

/** Whether `wide` tolerates everything that `narrow` does. */
export function isCovered(narrow: Toleration, wide: Toleration): boolean {
  if (isSame(narrow, wide)) return true;
  // An empty key with Exists matches every taint.
  const isAnyKey = !wide.key && wide.operator === 'Exists';
  if ((narrow.key ?? '') !== (wide.key ?? '') && !isAnyKey) return false;
  if (wide.effect && narrow.effect !== wide.effect) return false;
  if (wide.effect === 'NoExecute' && !isAsLong(narrow, wide)) return false;
  if (wide.operator === 'Exists') return true;
  if (wide.operator && wide.operator !== 'Equal') return false;
  return narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
}

const isAsLong = (
  { tolerationSeconds: narrow }: Toleration,
  { tolerationSeconds: wide }: Toleration,
): boolean =>
  wide === undefined ||
  wide === null ||
  (narrow !== undefined && narrow !== null && Number(narrow) <= Number(wide));

const isSame = (a: Toleration, b: Toleration): boolean =>
  (a.key ?? '') === (b.key ?? '') &&
  (a.operator ?? '') === (b.operator ?? '') &&
  (a.value ?? '') === (b.value ?? '') &&
  (a.effect ?? '') === (b.effect ?? '') &&
  (a.tolerationSeconds ?? undefined) === (b.tolerationSeconds ?? undefined);
