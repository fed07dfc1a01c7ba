/** The interface of the node to a pod's worker. */
import type { Clock, StepObserver } from '@coxswain/apimachinery';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerExit, Runtime } from '../runtime.ts';

/** What a worker uses of its node, and what it reports. */
export interface PodWorkerContext {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly observer?: StepObserver | undefined;
  readonly hostIps: readonly string[];
  /** The maximum back-off of container restarts. Defaults to upstream's five minutes. */
  readonly backoffMsMax?: number | undefined;
  /** Submits the new status. */
  report(pod: Pod, status: PodStatus): void;
  /** The pod has stopped, so its object may be deleted. */
  remove(pod: Pod): void;
  event(pod: Pod, event: PodEvent): void;
  /** Returns why there is no room for the pod's new resources; undefined if there is. */
  admitResize?(pod: Pod): string | undefined;
  /** Registers a listener for a container's exit. */
  watchContainer(id: string, listener: ExitListener): void;
  unwatchContainer(id: string): void;
  onError(error: unknown): void;
}

export interface ExitListener {
  containerExited(id: string, exit: ContainerExit): void;
}

export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The container that the event is about. */
  readonly container?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Why a pod must end for reasons outside its control. */
export interface PodEnd {
  readonly reason: string;
  readonly message: string;
  /** The maximum grace period of containers, even if the pod specifies more. */
  readonly graceMs: number;
  /** Adds a DisruptionTarget condition, which disruption-aware controllers take into account. */
  readonly isDisruption: boolean;
  /** The message of the disruption condition, if it differs. */
  readonly disruptionMessage?: string;
  /** Whether the pod succeeds if its containers end successfully. */
  readonly maySucceed?: boolean;
}
