/** Compares two states of a cluster, object by object, by their metadata. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';

/** By namespace and name. */
export type Listed = ReadonlyMap<string, KubeObject['metadata']>;

export interface ComparedObject {
  readonly kind: ApiResource;
  readonly change: 'created' | 'changed' | 'deleted';
  /** The later metadata; for a deleted object, the earlier. */
  readonly metadata: KubeObject['metadata'];
  /** The managers that wrote it in between, as far as the object records them. */
  readonly managers: readonly string[];
  /** The time of the last write. */
  readonly timeMs: number | undefined;
  /** Whether only its status was updated. */
  readonly isReport: boolean;
}

/** Compares the objects of a kind. An object that was replaced by another of the same name counts as created. */
export function comparedObjects(kind: ApiResource, before: Listed, after: Listed): readonly ComparedObject[] {
  const objects: ComparedObject[] = [];
  for (const [key, now] of after) {
    const then = before.get(key);
    if (then?.resourceVersion === now.resourceVersion) continue;
    const written = writtenBetween(then?.uid === now.uid ? then : undefined, now);
    objects.push({ kind, change: then?.uid === now.uid ? 'changed' : 'created', metadata: now, ...written });
  }
  for (const [key, metadata] of before)
    if (!after.has(key))
      objects.push({ kind, change: 'deleted', metadata, managers: [], timeMs: undefined, isReport: false });
  return objects;
}

function writtenBetween(
  before: KubeObject['metadata'] | undefined,
  after: KubeObject['metadata'],
): Pick<ComparedObject, 'managers' | 'timeMs' | 'isReport'> {
  const known = new Set((before?.managedFields ?? []).map(writeOf));
  const entries = (after.managedFields ?? []).filter((entry) => !known.has(writeOf(entry)));
  const asked = entries.filter(({ subresource }) => subresource !== 'status');
  const reported = (asked.length > 0 ? asked : entries).toSorted((one, other) =>
    String(other.time ?? '').localeCompare(String(one.time ?? '')),
  );
  const times = entries.flatMap(({ time }) => (time ? [Date.parse(time)] : []));
  const created = after.creationTimestamp ? [Date.parse(after.creationTimestamp)] : [];
  return {
    managers: [...new Set(reported.map(({ manager = '' }) => manager))],
    timeMs: times.length > 0 ? Math.max(...times) : before === undefined ? created[0] : undefined,
    isReport:
      before !== undefined && asked.length === 0 && (entries.length > 0 || isSameGeneration(before, after)),
  };
}

/** A write of the same fields with other values leaves no trace in managedFields, but the generation tells. */
const isSameGeneration = (before: KubeObject['metadata'], after: KubeObject['metadata']): boolean =>
  after.generation !== undefined && askedOf(before) === askedOf(after);

const askedOf = ({ generation, labels, annotations }: KubeObject['metadata']): string =>
  JSON.stringify([generation, labels, annotations]);

/** A manager that loses fields to another has not written: the time of its entry stays the same. */
const writeOf = ({ manager, operation, subresource, time }: ManagedFieldsEntry): string =>
  JSON.stringify([manager, operation, subresource, time]);

type ManagedFieldsEntry = NonNullable<KubeObject['metadata']['managedFields']>[number];

export const revisionOf = ({ metadata }: ComparedObject): number => Number(metadata.resourceVersion);
