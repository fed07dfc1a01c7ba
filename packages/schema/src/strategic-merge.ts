/**
 * Strategic merge patches: lists are merged by key where the schema says so, controlled by `$patch`, `$retainKeys`,
 * `$setElementOrder/…`, `$deleteFromPrimitiveList/…`. Works on plain values; nothing is modified.
 */

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
  return mergeMap(object as JsonMap, patch as JsonMap, type);
}

/** What upstream shows of a patch after the merge. @throws StrategicMergeError where the merge did */
export const spentStrategicPatch = (type: StructType, object: object, patch: object): JsonMap =>
  spentPatch(object as JsonMap, patch as JsonMap, type);
