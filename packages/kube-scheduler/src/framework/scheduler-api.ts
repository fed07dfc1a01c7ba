import type { PodCondition } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** Everything that the scheduler does to the cluster. Each call rejects with a StatusError when it is refused. */
export interface SchedulerApi {
  bind(pod: Pod, nodeName: string): Promise<void>;
  /** Writes a condition (with its transition time) and, where given, the nominated node; '' takes it away. */
  patchPodStatus(pod: Pod, change: { condition?: PodCondition; nominatedNodeName?: string }): Promise<void>;
  deletePod(pod: Pod): Promise<void>;
  /** Asks the provisioner for a volume near `nodeName`. */
  selectNodeForClaim(namespace: string, name: string, nodeName: string): Promise<void>;
  /** Promises the volume to the claim. */
  bindVolume(volumeName: string, namespace: string, claimName: string): Promise<void>;
  /** Resolves when the claim is bound; rejects when the signal aborts. */
  claimBound(namespace: string, name: string, signal: AbortSignal): Promise<void>;
  event(event: SchedulerEvent): void;
}

export interface SchedulerEvent {
  readonly about: Pod;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly schedulerName: string;
}
