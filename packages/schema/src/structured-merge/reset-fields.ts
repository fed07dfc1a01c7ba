/** Fields that a manager cannot own. */

import { recursiveDifference, setOf, type FieldSet } from '../field-set.ts';

/** Removes the fields that a write through this resource resets: `excludeFields(setOf(['status']))`. */
export type FieldFilter = (fields: FieldSet) => FieldSet;

export const excludeFields =
  (reset: FieldSet): FieldFilter =>
  (fields) =>
    recursiveDifference(fields, reset);

export const unfiltered: FieldFilter = (fields) => fields;

/** Fields without owners. */
export const neverOwned = setOf(
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'clusterName'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
);
