/** Deletes an object if none of its owners exists any more. */

import { isStatusError, type KubeObject, type OwnerReference } from '@coxswain/apimachinery';
import type { DeleteOptions } from '@coxswain/client';
import {
  blockingDependents,
  foregroundFinalizer,
  hasFinalizer,
  identityText,
  orphanFinalizer,
  type GraphNode,
} from './graph.ts';
import { type GarbageCollector, reportedNode } from './collector.ts';
import { removeOwners, unblockOwners, removeFinalizer } from './owner-patches.ts';

export async function attemptToDelete(collector: GarbageCollector, uid: string): Promise<void> {
  const node = collector.graph.node(uid);
  if (node === undefined || (node.beingDeleted && !node.deletingDependents)) return;
  collector.report({ object: reportedNode(node), deletingDependents: node.deletingDependents });
  const latest = await collector.read(node.identity);
  if (latest === undefined || latest.metadata.uid !== uid) return collector.noteAbsent(node);
  if (!node.observed) throw new Error(`${identityText(node.identity)} was not seen yet`);
  if (node.deletingDependents) return processDeletingDependents(collector, node);
  const { ownerReferences = [] } = latest.metadata;
  if (ownerReferences.length === 0) return;
  const owners = await classifyReferences(collector, node, ownerReferences);
  if (owners === undefined) return;
  collector.report({
    owners: Object.fromEntries(Object.entries(owners).map(([state, those]) => [state, those.map(ownerText)])),
    dependents: node.dependents.size,
  });
  const lost = [...owners.dangling, ...owners.waiting];
  if (owners.solid.length > 0) {
    if (lost.length > 0)
      await removeOwners(
        collector,
        node,
        lost.map((owner) => owner.uid),
      );
  } else if (owners.waiting.length > 0 && node.dependents.size > 0)
    await deleteInForeground(collector, node, latest);
  else await deleteObject(collector, node, latest, policyOf(latest));
}

/** Undefined if the references are invalid, so that nothing can be done. */
async function classifyReferences(
  collector: GarbageCollector,
  node: GraphNode,
  references: readonly OwnerReference[],
) {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of references) {
    const owner = await findOwner(collector, node, reference);
    if (owner === 'unreachable') return undefined;
    if (owner === undefined) dangling.push(reference);
    else if (owner.metadata.deletionTimestamp !== undefined && hasFinalizer(owner, foregroundFinalizer))
      waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, dangling, waiting };
}

/** Returns the owner's current state; undefined if there is no such object with that uid. */
async function findOwner(
  collector: GarbageCollector,
  node: GraphNode,
  reference: OwnerReference,
): Promise<KubeObject | 'unreachable' | undefined> {
  const resource = collector.resourceOf(reference);
  const { namespace } = node.identity;
  // A cluster-scoped object can't be owned by a namespaced one.
  if (resource.namespaced && namespace === '') return 'unreachable';
  const { apiVersion, kind, name, uid } = reference;
  const identity = { apiVersion, kind, name, uid, namespace: resource.namespaced ? namespace : '' };
  const key = identityText(identity);
  if (collector.absent.has(key)) return undefined;
  const owner = await collector.read(identity);
  if (owner?.metadata.uid === uid) return owner;
  collector.rememberAbsent(key);
  return undefined;
}

async function processDeletingDependents(collector: GarbageCollector, node: GraphNode): Promise<void> {
  const blocking = blockingDependents(node);
  collector.report({ blockedBy: blocking.map(reportedNode) });
  if (blocking.length === 0) return removeFinalizer(collector, node, foregroundFinalizer);
  for (const dependent of blocking)
    if (!dependent.deletingDependents) collector.queues.attemptToDelete(dependent.identity.uid);
}

async function deleteInForeground(
  collector: GarbageCollector,
  node: GraphNode,
  latest: KubeObject,
): Promise<void> {
  // Two objects that wait for each other would wait forever.
  if ([...node.dependents].some((dependent) => dependent.deletingDependents))
    await unblockOwners(collector, node);
  await deleteObject(collector, node, latest, 'Foreground');
}

async function deleteObject(
  collector: GarbageCollector,
  node: GraphNode,
  latest: KubeObject,
  propagationPolicy: NonNullable<DeleteOptions['propagationPolicy']>,
) {
  const { uid = '', resourceVersion = '' } = latest.metadata;
  try {
    await collector.client(node.identity).delete(node.identity.name, {
      propagationPolicy,
      // Fails if its owners changed in the meantime.
      preconditions: { uid, resourceVersion },
    });
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
    collector.noteAbsent(node);
  }
}

function policyOf(object: KubeObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(object, orphanFinalizer)) return 'Orphan';
  return hasFinalizer(object, foregroundFinalizer) ? 'Foreground' : 'Background';
}

const ownerText = ({ kind, name }: OwnerReference): string => `${kind}/${name}`;
