/** Protects claims that are used by pods on nodes from deletion. */

import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import { objectKey } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type PersistentVolumeClaim, type Pod } from '../objects.ts';
import { isOver } from '../volumes/pod-over.ts';
import { startReconciler } from '../reconciler.ts';
import { claimIndex, isMadeForPod, podsByClaim } from '../volumes/claims-of-pods.ts';
import { guardDeletion, needsGuard, type DeletionGuard } from './deletion-guard.ts';

const finalizer = 'kubernetes.io/pvc-protection';

export const claimProtectionController: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],
  serviceAccount: 'pvc-protection-controller',
  start(context) {
    const { informers } = context;
    const claims = informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    const pods = informers.informer<Pod>(resources.pods, { [claimIndex]: podsByClaim });
    const guard = claimGuard(context, (claim) => pods.lister.byIndex(claimIndex, objectKey(claim)));
    const reconciler = startReconciler(context, {
      queueName: 'pvcprotection',
      ready: () => Promise.all([claims.synced, pods.synced]),
      reconcile: async function syncClaimProtection(key) {
        const claim = claims.lister.byKey(key);
        if (claim !== undefined) await guardDeletion(guard, claim);
      },
    });
    const look = (claim: PersistentVolumeClaim) => {
      if (needsGuard(claim, finalizer)) reconciler.addObject(claim);
    };
    claims.addHandler(onWrite(look));
    const lookAtClaims = (pod: Pod) => podsByClaim(pod).forEach((key) => reconciler.add(key));
    const mayHaveFreed = (pod: Pod) => isOver(pod) || !pod.spec?.nodeName;
    pods.addHandler({
      added: (pod) => mayHaveFreed(pod) && lookAtClaims(pod),
      updated(before, after) {
        if (mayHaveFreed(after)) lookAtClaims(after);
        if (before.metadata.uid !== after.metadata.uid) lookAtClaims(before);
      },
      deleted: lookAtClaims,
    });
  },
};

/** @param podsOf returns the pods of a claim in the informer; if none uses it, the server is queried, too */
function claimGuard(
  { client }: ControllerContext,
  podsOf: (claim: PersistentVolumeClaim) => readonly Pod[],
): DeletionGuard<PersistentVolumeClaim> {
  const claims = client.resource<PersistentVolumeClaim>(resources.persistentVolumeClaims);
  return {
    finalizer,
    client: ({ metadata }) => claims.namespace(metadata.namespace ?? ''),
    async isUsed(claim) {
      if (podsOf(claim).some((pod) => holds(pod, claim))) return true;
      const { items } = await client
        .resource<Pod>(resources.pods)
        .namespace(claim.metadata.namespace ?? '')
        .list();
      return items.some((pod) => holds(pod, claim));
    },
  };
}

/** A pod without a node does not use anything yet; one that has ended no longer uses the claim generated for it. */
function holds(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec?.nodeName) return false;
  const isShutDown =
    pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0;
  return (pod.spec.volumes ?? []).some(
    (volume) =>
      volumeClaimName(pod, volume) === claim.metadata.name &&
      (volume.persistentVolumeClaim ? true : !isShutDown && isMadeForPod(pod, claim)),
  );
}
