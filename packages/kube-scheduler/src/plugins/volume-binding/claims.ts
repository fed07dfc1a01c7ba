import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { ClusterObjects } from '../../framework/cluster.ts';
import { unresolvable, type Rejection } from '../../status.ts';

/** A pod's claims, by how they get their volumes. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Claims with delayed binding, whose volume is determined once the pod's node is known. */
  readonly delayed: readonly PersistentVolumeClaim[];
}

export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node';
const bindCompletedAnnotation = 'pv.kubernetes.io/bind-completed';
const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Undefined for a pod without claims; a rejection if one is missing or about to be bound by the volume controller. */
export function claimsOf(pod: PodInfo, objects: ClusterObjects): PodClaims | Rejection | undefined {
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let waitsForOthers = false;
  if (pod.claimNames.length === 0) return undefined;
  for (const name of pod.claimNames) {
    const claim = objects.claim(pod.namespace, name);
    if (claim === undefined) return unresolvable(missingText(pod, name));
    if (isEphemeral(pod, name) && !isMadeFor(pod, claim)) {
      const podKey = `${pod.namespace}/${pod.name}`;
      const reason = `PVC ${pod.namespace}/${name} was not created for pod ${podKey} (pod is not owner)`;
      return unresolvable(reason);
    }
    const obstacle = obstacleOf(claim, name);
    if (obstacle !== undefined) return unresolvable(obstacle);
    if (isBound(claim)) bound.push(claim);
    else if (isDelayed(claim, objects)) delayed.push(claim);
    else waitsForOthers = true;
  }
  return waitsForOthers
    ? unresolvable('pod has unbound immediate PersistentVolumeClaims')
    : { bound, delayed };
}

export const isBound = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  Boolean(spec?.volumeName) && metadata?.annotations?.[bindCompletedAnnotation] !== undefined;

export const storageClassNameOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  metadata?.annotations?.[oldClassAnnotation] ?? spec?.storageClassName ?? '';

const isDelayed = (claim: PersistentVolumeClaim, objects: ClusterObjects): boolean =>
  !claim.spec?.volumeName &&
  objects.storageClass(storageClassNameOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';

function missingText(pod: PodInfo, name: string): string {
  return isEphemeral(pod, name)
    ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
    : `persistentvolumeclaim "${name}" not found`;
}

const isEphemeral = ({ pod }: PodInfo, name: string): boolean =>
  !(pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.claimName === name);

const isMadeFor = ({ uid }: PodInfo, { metadata }: PersistentVolumeClaim): boolean =>
  metadata?.ownerReferences?.some((owner) => owner.controller && owner.uid === uid) ?? false;

function obstacleOf({ metadata, spec, status }: PersistentVolumeClaim, name: string): string | undefined {
  if (status?.phase === 'Lost') {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${spec?.volumeName ?? ''}"`;
  }
  return metadata?.deletionTimestamp ? `persistentvolumeclaim "${name}" is being deleted` : undefined;
}
