/** Creates the claims of pods' ephemeral volumes; they are owned by the pod and deleted with it. */

import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { objectKey, type Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type PersistentVolumeClaim, type Pod } from '../objects.ts';
import { controllerReference } from '../owners.ts';
import { startReconciler } from '../reconciler.ts';
import { checkMadeForPod, claimIndex, podsByClaim } from '../volumes/claims-of-pods.ts';

export const ephemeralVolumeController: Controller = {
  name: 'ephemeral-volume-controller',
  aliases: ['ephemeral-volume'],
  serviceAccount: 'ephemeral-volume-controller',
  start(context) {
    const { informers } = context;
    const pods = informers.informer<Pod>(resources.pods, { [claimIndex]: podsByClaim });
    const claims = informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    const reconciler = startReconciler(context, {
      queueName: 'ephemeral_volume',
      ready: () => Promise.all([pods.synced, claims.synced]),
      reconcile: async function syncEphemeralVolume(key) {
        const pod = pods.lister.byKey(key);
        if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
        for (const volume of pod.spec?.volumes ?? []) await makeClaim(context, claims.lister, pod, volume);
      },
    });
    const look = (pod: Pod) => {
      if (pod.metadata.deletionTimestamp !== undefined) return;
      if (pod.spec?.volumes?.some(({ ephemeral }) => ephemeral)) reconciler.addObject(pod);
    };
    pods.addHandler({ added: look });
    claims.addHandler({
      deleted: (claim) => pods.lister.byIndex(claimIndex, objectKey(claim)).forEach(look),
    });
  },
};

/** @throws Error after reporting it in an event */
async function makeClaim(
  context: ControllerContext,
  claims: Lister<PersistentVolumeClaim>,
  pod: Pod,
  volume: Volume,
): Promise<void> {
  if (!volume.ephemeral) return;
  const { namespace = '' } = pod.metadata;
  try {
    const existing = claims.get(volumeClaimName(pod, volume) ?? '', namespace);
    if (existing !== undefined) return checkMadeForPod(pod, existing);
    await createClaim(context, pod, volume);
  } catch (error) {
    const text = `ephemeral volume ${volume.name}: ${messageOf(error)}`;
    const about = { ...pod, apiVersion: 'v1', kind: 'Pod' };
    context.events('ephemeral_volume').event(about, 'Warning', 'FailedBinding', text);
    throw new Error(`pod ${objectKey(pod)}, ${text}`, { cause: error });
  }
}

async function createClaim({ client }: ControllerContext, pod: Pod, volume: Volume): Promise<void> {
  const { metadata, spec } = volume.ephemeral?.volumeClaimTemplate ?? {};
  const name = volumeClaimName(pod, volume);
  const { namespace = '' } = pod.metadata;
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace,
      ownerReferences: [controllerReference({ apiVersion: 'v1', kind: 'Pod' }, pod)],
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
    },
    spec,
  } as PersistentVolumeClaim;
  try {
    await client
      .resource<PersistentVolumeClaim>(resources.persistentVolumeClaims)
      .namespace(namespace)
      .create(claim);
  } catch (error) {
    throw new Error(`create PVC ${name}: ${messageOf(error)}`, { cause: error });
  }
}
