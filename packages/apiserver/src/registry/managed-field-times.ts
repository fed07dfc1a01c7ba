/** A write that changes nothing but the times in managedFields counts as no change. */
import { deepEqual, type KubeObject, type ManagedFieldsEntry } from '@coxswain/apimachinery';

/** Restores the old times if nothing else differs; modifies `object`. */
export function keepUnchangedTimes(object: KubeObject, old: KubeObject): void {
  const entries = object.metadata.managedFields;
  const oldEntries = old.metadata.managedFields;
  if (entries === undefined || oldEntries === undefined || entries.length !== oldEntries.length) return;
  if (!entries.every((entry, at) => isSame(entry, oldEntries[at]!))) return;
  if (entries.every((entry, at) => entry.time === oldEntries[at]!.time)) return;
  if (!isUnchanged(object, old)) return;
  object.metadata.managedFields = oldEntries;
}

const isSame = (a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  a.apiVersion === b.apiVersion &&
  deepEqual(a.fieldsV1, b.fieldsV1);

const isUnchanged = (object: KubeObject, old: KubeObject): boolean =>
  deepEqual(withoutTimes(object), withoutTimes(old));

const withoutTimes = ({ metadata, ...rest }: KubeObject) => ({
  ...rest,
  metadata: { ...metadata, managedFields: undefined, resourceVersion: undefined },
});
