/** Patches the owner references and finalizers of objects. */

import { isStatusError, type OwnerReference } from '@coxswain/apimachinery';
import { hasFinalizer, type GraphNode } from './graph.ts';
import type { GarbageCollector } from './collector.ts';

/** The number of attempts in case of conflicts. */
const conflictTriesMax = 5;

export async function removeOwners(
  collector: GarbageCollector,
  node: GraphNode,
  uids: readonly string[],
): Promise<void> {
  const ownerReferences = uids.map((uid) => ({ $patch: 'delete', uid }));
  const patch = { metadata: { ownerReferences, uid: node.identity.uid } };
  const removed = new Set(uids);
  await patchOwners(collector, node, patch, (owners) => owners.filter(({ uid }) => !removed.has(uid)));
}

export async function unblockOwners(collector: GarbageCollector, node: GraphNode): Promise<void> {
  const blocking = node.owners.filter((owner) => owner.blockOwnerDeletion);
  const ownerReferences = blocking.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  const patch = { metadata: { ownerReferences, uid: node.identity.uid } };
  await patchOwners(collector, node, patch, (owners) =>
    owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
  );
}

/** Custom resources don't support strategic merge patches, so they get the whole list. */
async function patchOwners(
  collector: GarbageCollector,
  node: GraphNode,
  strategic: unknown,
  change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
): Promise<void> {
  const { name } = node.identity;
  const client = collector.client(node.identity);
  try {
    await client.patch(name, strategic);
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return;
    if (!isStatusError(error, 'UnsupportedMediaType')) throw error;
    const { metadata } = await client.get(name);
    const { resourceVersion, ownerReferences = [] } = metadata;
    await client.patch(
      name,
      { metadata: { resourceVersion, ownerReferences: change(ownerReferences) } },
      { type: 'merge' },
    );
  }
}

export async function removeFinalizer(
  collector: GarbageCollector,
  node: GraphNode,
  finalizer: string,
): Promise<void> {
  const { name, uid } = node.identity;
  const client = collector.client(node.identity);
  for (let attempt = 1; ; attempt++) {
    const latest = await collector.read(node.identity);
    if (latest === undefined || latest.metadata.uid !== uid || !hasFinalizer(latest, finalizer)) return;
    const { resourceVersion, finalizers = [] } = latest.metadata;
    const kept = finalizers.filter((other) => other !== finalizer);
    try {
      await client.patch(name, { metadata: { resourceVersion, finalizers: kept } }, { type: 'merge' });
      return;
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return;
      if (!isStatusError(error, 'Conflict') || attempt === conflictTriesMax) throw error;
    }
  }
}
