/**
 * Reads all objects at two revisions through the API: their metadata, and a whole object when its details are shown.
 */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiResource } from '@coxswain/client';
import { resourceIn } from '../../../cluster/cluster.ts';
import { inScope } from '../../../cluster/scope.ts';
import { comparedObjects, revisionOf, type ComparedObject, type Listed } from './compared.ts';

export interface Compared {
  /** Newest first. */
  readonly objects: readonly ComparedObject[];
  /** Kinds that were not compared completely, and why. */
  readonly unread: readonly { readonly kind: ApiResource; readonly why: string }[];
}

/** The maximum number of objects of a kind to compare. */
const listedMax = 10_000;

/** Events and heartbeats are written constantly and change nothing. */
const isNoise = ({ group, resource }: ApiResource): boolean =>
  resource === 'events' || (group === 'coordination.k8s.io' && resource === 'leases');

/** @throws StatusError with code 410 if one of the revisions is no longer available */
export async function readCompared(
  kinds: readonly ApiResource[],
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<Compared> {
  const unread: Compared['unread'][number][] = [];
  const compared = kinds
    // Resources without watch are computed on request and have no past.
    .filter((kind) => !isNoise(kind) && kind.verbs.includes('watch'))
    .map(async (kind) => {
      try {
        const [before, after] = await Promise.all([listedAt(kind, from, signal), listedAt(kind, to, signal)]);
        if (before.size >= listedMax || after.size >= listedMax)
          unread.push({ kind, why: `> ${listedMax.toLocaleString()}` });
        return comparedObjects(kind, before, after);
      } catch (failure) {
        if (signal.aborted || (isStatusError(failure) && failure.code === 410)) throw failure;
        unread.push({ kind, why: messageOf(failure) });
        return [];
      }
    });
  const objects = (await Promise.all(compared)).flat();
  return { objects: objects.toSorted((one, other) => revisionOf(other) - revisionOf(one)), unread };
}

async function listedAt(kind: ApiResource, revision: number, signal: AbortSignal): Promise<Listed> {
  const listed = new Map<string, KubeObject['metadata']>();
  const pages = inScope(kind)
    .metadataOnly()
    .pages({ ...exactly(revision), whenExpired: 'fail', signal });
  for await (const { items } of pages) {
    for (const { metadata } of items) listed.set(`${metadata.namespace ?? ''}/${metadata.name}`, metadata);
    if (listed.size >= listedMax) break;
  }
  return listed;
}

/** The object at a revision; undefined if there was none. @throws StatusError */
export async function objectAt(
  { kind, metadata: { namespace, name } }: ComparedObject,
  revision: number,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { items } = await resourceIn(kind, namespace).list({
    ...exactly(revision),
    fieldSelector: `metadata.name=${name}`,
    signal,
  });
  return items[0];
}

const exactly = (revision: number) =>
  ({ resourceVersion: String(revision), resourceVersionMatch: 'Exact' }) as const;
