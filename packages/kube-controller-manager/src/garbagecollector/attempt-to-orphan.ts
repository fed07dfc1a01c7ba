/** Removes an owner from its dependents, so that they outlive it. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { identityText, orphanFinalizer } from './graph.ts';
import { type GarbageCollector, reportedNode } from './collector.ts';
import { removeOwners, removeFinalizer } from './owner-patches.ts';

/** Orphans all dependents of an object that is being deleted, then removes its finalizer. */
export async function attemptToOrphan(collector: GarbageCollector, uid: string): Promise<void> {
  const node = collector.graph.node(uid);
  if (node === undefined) return;
  collector.report({ object: reportedNode(node), orphans: [...node.dependents].map(reportedNode) });
  const results = await Promise.allSettled(
    [...node.dependents].map((dependent) => removeOwners(collector, dependent, [uid])),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    throw new Error(
      `failed to orphan dependents of owner ${identityText(node.identity)}: ${messageOf(failed.reason)}`,
    );
  }
  await removeFinalizer(collector, node, orphanFinalizer);
}
