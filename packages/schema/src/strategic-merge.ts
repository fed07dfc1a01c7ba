/**
 * Strategic merge patches: lists are merged by key where the schema says so, controlled by `$patch`, `$retainKeys`,
 * `$setElementOrder/…`, `$deleteFromPrimitiveList/…`. Works on plain values; nothing is modified.
 */

import { bigintsAsNumbers } from './scalars/raw-number.ts';
import { haveConflicts } from './strategic-merge/conflicts.ts';
import { diffMaps } from './strategic-merge/diff.ts';
import { StrategicMergeError } from './strategic-merge/error.ts';
import { mergeMap } from './strategic-merge/merge.ts';
import { spentPatch } from './strategic-merge/spent-patch.ts';
import type { JsonMap } from './strategic-merge/values.ts';
import type { StructType } from './type.ts';

export { StrategicMergeError };

/** The patched object, which must be decoded afterwards. @throws StrategicMergeError */
export function applyStrategicMergePatch(type: StructType, object: object, patch: object): JsonMap {
  if (type.isCustom) {
    throw new StrategicMergeError('strategic merge patch format is not supported');
  }
  return mergeMap(object as JsonMap, patch as JsonMap, type, 'object');
}

/** What upstream shows of a patch after the merge. @throws StrategicMergeError where the merge did */
export const spentStrategicPatch = (type: StructType, object: object, patch: object): JsonMap =>
  spentPatch(object as JsonMap, patch as JsonMap, type);

/** The patch that leads from `original` to `modified`. @throws StrategicMergeError */
export const createTwoWayPatch = (type: StructType, original: object, modified: object): JsonMap =>
  diffMaps(original as JsonMap, modified as JsonMap, type, { elementOrder: true });

/** The changes of two parties conflict. */
export class PatchConflictError extends Error {}

/**
 * The patch of `kubectl apply`: what `modified` adds to or changes in `current`, and what it no longer has of
 * `original`.
 * @throws StrategicMergeError
 * @throws PatchConflictError unless `overwrite`, when another party changed the same fields
 */
export function createThreeWayPatch(
  type: StructType,
  { original, modified, current }: { original: object; modified: object; current: object },
  { overwrite = true }: { overwrite?: boolean } = {},
): JsonMap {
  const changes = diffMaps(current as JsonMap, modified as JsonMap, type, {
    ignoreDeletions: true,
    elementOrder: true,
  });
  const deletions = diffMaps(original as JsonMap, modified as JsonMap, type, {
    ignoreChangesAndAdditions: true,
    elementOrder: true,
  });
  const patch = mergeMap(deletions, changes, type, 'patch');
  if (!overwrite) {
    const changedByOthers = diffMaps(original as JsonMap, current as JsonMap, type, {});
    if (haveConflicts(patch, changedByOthers, type)) {
      throw new PatchConflictError(
        `patch:\n${jsonOf(patch)}\nconflicts with changes made from original to current:\n${jsonOf(changedByOthers)}\n`,
      );
    }
  }
  return patch;
}

const jsonOf = (value: unknown): string => JSON.stringify(value, bigintsAsNumbers);
