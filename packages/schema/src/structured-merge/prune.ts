/**
 * Removes fields that an applier applied before, no longer applies, and nobody else owns. Managers may have written in
 * several versions of the kind: each one's fields are looked up in the object's form of its version.
 */

import { difference, intersection, isEmptySet, isSubset, leaf, union, type FieldSet } from '../field-set.ts';
import { withNamedFields } from './named-fields.ts';
import { ownedFields } from './owned-fields.ts';
import { removeFields, withoutRemoved } from './remove.ts';
import { during } from './versions.ts';
import type { Manager } from './managers.ts';
import type { VersionedObject, ToVersion } from './versioned-object.ts';

export interface PruneInput {
  /** The live object merged with the new configuration. */
  readonly merged: VersionedObject;
  /** The applier's previous state. */
  readonly last: Manager;
  /** The fields that it owns now. */
  readonly next: FieldSet;
  /** All managers, including the applier's new state. */
  readonly managers: Iterable<Manager>;
  readonly toVersion: ToVersion;
}

export interface Pruned {
  /** For reading. */
  readonly object: object;
  /** For comparison with the previous object: an emptied struct is null, which its owners keep. */
  readonly compared: object;
}

export function prune({ merged, last, next, managers, toVersion }: PruneInput): Pruned {
  const isSameVersion = last.apiVersion === merged.apiVersion;
  const unpruned: Pruned = { object: merged.object, compared: merged.object };
  // An applier that keeps all its fields gives nothing up.
  if (isEmptySet(last.fields) || (isSameVersion && isSubset(last.fields, next))) return unpruned;
  const whole = during('failed to convert merged object to last applied version', () =>
    toVersion(merged, last.apiVersion),
  );
  if (whole === undefined) return unpruned;
  const lastFields = withNamedFields(last.fields, whole.type);
  const owned = during('failed add back owned items', () =>
    addBackOwned(whole, without(whole, lastFields), managers, toVersion),
  );
  const kept = during(
    'failed add back dangling items: failed to convert pruned object to last applied version',
    () => toVersion(owned, last.apiVersion),
  );
  if (kept === undefined) return unpruned;
  const gone = intersection(difference(fieldsOf(whole), fieldsOf(kept)), lastFields);
  if (isEmptySet(gone)) return unpruned;
  const rest = withoutRemoved(whole.type, whole.object, gone) as object;
  if (isSameVersion) return { object: rest, compared: without(whole, gone).object };
  const object = toVersion({ ...whole, object: rest }, merged.apiVersion)?.object ?? merged.object;
  return { object, compared: object };
}

/** The pruned object with everything that managers own. The version in which it was pruned comes first. */
function addBackOwned(
  whole: VersionedObject,
  pruned: VersionedObject,
  managers: Iterable<Manager>,
  toVersion: ToVersion,
): VersionedObject {
  const byVersion = new Map<string, FieldSet>([[whole.apiVersion, leaf]]);
  for (const { apiVersion, fields } of managers) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? leaf, fields));
  }
  let result = pruned;
  for (const [apiVersion, owned] of byVersion) {
    if (isEmptySet(owned)) continue;
    const all = during(`failed to convert merged object at version ${apiVersion}`, () =>
      toVersion(whole, apiVersion),
    );
    const rest = during(`failed to convert pruned object at version ${apiVersion}`, () =>
      toVersion(result, apiVersion),
    );
    if (all === undefined || rest === undefined) continue;
    const kept = union(fieldsOf(rest), withNamedFields(owned, all.type));
    result = without(all, difference(fieldsOf(all), kept));
  }
  return result;
}

const fieldsOf = ({ type, object }: VersionedObject): FieldSet =>
  withNamedFields(ownedFields(type, object), type);

const without = (whole: VersionedObject, fields: FieldSet): VersionedObject => ({
  ...whole,
  object: removeFields(whole.type, whole.object, fields) as object,
});
