import type { PodCondition, PodExtendedResourceClaimStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** Everything that the scheduler does to the cluster. Each call rejects with a StatusError if it is refused. */
export interface SchedulerApi {
  bind(pod: Pod, nodeName: string): Promise<void>;
  patchPodStatus(pod: Pod, change: PodStatusChange): Promise<void>;
  deletePod(pod: Pod): Promise<void>;
  /** Requests a volume near `nodeName` from the provisioner. */
  selectNodeForClaim(claim: PersistentVolumeClaim, nodeName: string): Promise<PersistentVolumeClaim>;
  /** Pre-binds the volume to the claim; refused if the volume has changed. */
  bindVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<PersistentVolume>;
  /**
   * Resolves when the claim is bound; rejects if the signal aborts, the claim is deleted, or the provisioner gave up on
   * `nodeName` (unless that is empty).
   */
  claimBound(claim: PersistentVolumeClaim, nodeName: string, signal: AbortSignal): Promise<void>;
  /** Returns the current claim. */
  resourceClaim(namespace: string, name: string): Promise<ResourceClaim>;
  createResourceClaim(claim: ResourceClaim): Promise<ResourceClaim>;
  deleteResourceClaim(namespace: string, name: string): Promise<void>;
  updateResourceClaim(claim: ResourceClaim): Promise<ResourceClaim>;
  updateResourceClaimStatus(claim: ResourceClaim): Promise<ResourceClaim>;
  /** Removes the pod from the claim's reservations. */
  unreserveResourceClaim(claim: ResourceClaim, podUid: string): Promise<void>;
  event(event: SchedulerEvent): void;
}

export interface PodStatusChange {
  /** The transition time is added. */
  readonly condition?: PodCondition;
  /** Empty text removes the nomination. */
  readonly nominatedNodeName?: string;
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
}

export interface SchedulerEvent {
  readonly about: Pod;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly schedulerName: string;
}
