/** The former templates of a workload, stored as ControllerRevisions to distinguish pods and for rollbacks. */

import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import { deepEqual, goJson, ignoring, isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';
import { fnv1, safeEncode } from '../pod-template-hash/pod-template-hash.ts';
import type { ControllerRevision, PodTemplateSpec } from '../objects.ts';

/** A label of pods with the name of their revision (StatefulSet) or its hash (DaemonSet). */
export const revisionHashLabel = 'controller-revision-hash';
/** A label of the revisions of StatefulSets. */
const dataHashLabel = 'controller.kubernetes.io/hash';
/** The maximum length of the part of the name before the hash. */
const prefixLengthMax = 223;

/**
 * The contents of a revision: a patch that restores the template. Its fields are sorted, since clients compare the
 * bytes.
 */
export const revisionData = (template: PodTemplateSpec): Record<string, unknown> => ({
  spec: { template: sorted({ ...template, $patch: 'replace' }) },
});

export const sameData = (revision: ControllerRevision, data: unknown): boolean =>
  deepEqual(revision.data, data);

export function templateOf(revision: ControllerRevision): PodTemplateSpec {
  const { spec } = revision.data as unknown as { spec: { template: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _patch, ...template } = spec.template;
  return template as PodTemplateSpec;
}

/** Returns upstream's hash of {@link revisionData} and the collision count. */
export function revisionHash(data: unknown, collisionCount: number): string {
  return safeEncode(String(fnv1(new TextEncoder().encode(goJson(data) + String(collisionCount)))));
}

export const revisionName = (owner: KubeObject, hash: string): string =>
  `${(owner.metadata.name ?? '').slice(0, prefixLengthMax)}-${hash}`;

/** Sorted by revision; among equal ones the older comes first. */
export const byRevision = (revisions: readonly ControllerRevision[]): ControllerRevision[] =>
  [...revisions].sort(
    (a, b) =>
      a.revision - b.revision ||
      compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
      compareText(a.metadata.name ?? '', b.metadata.name ?? ''),
  );

/** Creates it under a free name. Returns the revision and the number of name collisions. */
export async function createRevision(
  client: ResourceClient<ControllerRevision>,
  owner: KubeObject,
  revision: ControllerRevision,
  collisionCount: number,
): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
  for (let count = collisionCount; ; count++) {
    const hash = revisionHash(revision.data, count);
    const name = revisionName(owner, hash);
    const labels = { ...revision.metadata.labels, [dataHashLabel]: hash };
    try {
      const created = await client.create({ ...revision, metadata: { ...revision.metadata, name, labels } });
      return { revision: created, collisionCount: count };
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error;
      const existing = await client.get(name);
      if (sameData(existing, revision.data)) return { revision: existing, collisionCount: count };
    }
  }
}

/** Deletes the oldest unused revisions, down to the limit. */
export async function truncateHistory(
  client: ResourceClient<ControllerRevision>,
  unused: readonly ControllerRevision[],
  limit: number,
): Promise<void> {
  for (const { metadata } of byRevision(unused).slice(0, Math.max(0, unused.length - limit))) {
    await ignoring('NotFound', client.delete(metadata.name ?? ''));
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
