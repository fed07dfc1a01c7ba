/** What differs between two states of a cluster, object by object, as their metadata tell. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';

/** By namespace and name. */
export type Listed = ReadonlyMap<string, KubeObject['metadata']>;

export interface ComparedObject {
  readonly kind: ApiResource;
  readonly change: 'created' | 'changed' | 'deleted';
  /** As it is afterwards; of what was deleted, as it was before. */
  readonly metadata: KubeObject['metadata'];
  /** Who wrote it in between, as far as the object says so. */
  readonly managers: readonly string[];
  /** When it was last written. */
  readonly timeMs: number | undefined;
  /** Nobody asked for anything else: its status was reported. */
  readonly isReport: boolean;
}

/** Another object of the same name was created in place of the one before. */
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
    isReport: before !== undefined && entries.length > 0 && asked.length === 0,
  };
}

/** Whoever loses fields to another has written nothing: the time of the entry stays. */
const writeOf = ({ manager, operation, subresource, time }: ManagedFieldsEntry): string =>
  JSON.stringify([manager, operation, subresource, time]);

type ManagedFieldsEntry = NonNullable<KubeObject['metadata']['managedFields']>[number];

export const revisionOf = ({ metadata }: ComparedObject): number => Number(metadata.resourceVersion);
