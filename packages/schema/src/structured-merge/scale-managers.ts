/**
 * Managed fields across `/scale`: managers of the object's replicas become managers of the Scale's, and changes of the
 * write are carried back.
 */

import { difference, hasPath, isEmptySet, leaf, type FieldSet } from '../field-set.ts';
import {
  decodeManagers,
  encodeManagers,
  identityOf,
  type ManagedFieldsEntry,
  type Manager,
  type UncheckedEntry,
} from './managers.ts';

/** The path of the replicas in each version of the object: `{'apps/v1': ['spec', 'replicas']}`; undefined for none. */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | undefined>>;

const scaleApiVersion = 'autoscaling/v1';
const replicasInScale = ['f:spec', 'f:replicas'];

const setOfPath = (path: readonly string[]): FieldSet =>
  path.reduceRight<FieldSet>((set, element) => ({ [element]: set }), leaf);

const elementsOf = (path: readonly string[]): readonly string[] => path.map((name) => `f:${name}`);

/** The managers of the Scale. @throws Error for an invalid entry */
export function scaleManagersOf(
  entries: readonly UncheckedEntry[],
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const managers = new Map<string, Manager>();
  for (const [identity, manager] of decodeManagers(entries)) {
    const path = paths[manager.apiVersion];
    if (path === undefined || !hasPath(manager.fields, elementsOf(path))) continue;
    managers.set(identity, { ...manager, apiVersion: scaleApiVersion, fields: setOfPath(replicasInScale) });
  }
  return encodeManagers(managers);
}

/** The managers of the object after a write to its Scale. @throws Error for an invalid entry */
export function parentManagersOf(
  entries: readonly UncheckedEntry[],
  scaleEntries: readonly UncheckedEntry[],
  paths: ReplicasPaths,
  apiVersion: string,
): ManagedFieldsEntry[] | undefined {
  const before = decodeManagers(entries);
  const inScale = decodeManagers(scaleEntries);
  const after = new Map<string, Manager>();
  for (const [identity, manager] of before) {
    if (!(manager.apiVersion in paths)) continue;
    const path = paths[manager.apiVersion];
    const owns = path !== undefined && hasPath(manager.fields, elementsOf(path));
    if (!owns || inScale.delete(identity)) {
      after.set(identity, manager);
    } else {
      const fields = difference(manager.fields, setOfPath(elementsOf(path)));
      if (!isEmptySet(fields)) after.set(identity, { ...manager, fields });
    }
  }
  const path = paths[apiVersion];
  if (path === undefined) return encodeManagers(after);
  for (const [identity, manager] of inScale) {
    if (!hasPath(manager.fields, replicasInScale)) continue;
    // Upstream knows only the times of the object's own entries.
    const time = before.get(identity)?.time;
    after.set(identityOf(manager), { ...manager, apiVersion, time, fields: setOfPath(elementsOf(path)) });
  }
  return encodeManagers(after);
}
