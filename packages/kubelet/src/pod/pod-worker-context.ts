/** What a worker has of its node, and what it tells. */
import type { Clock, StepObserver } from '@coxswain/apimachinery';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerExit, Runtime } from '../runtime.ts';

/** What a worker has of its node. */
export interface PodWorkerContext {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly observer?: StepObserver | undefined;
  readonly hostIps: readonly string[];
  /** The longest that a container waits before it is started again; the original's five minutes when absent. */
  readonly backoffMsMax?: number | undefined;
  /** Hands over what the status is to be. */
  report(pod: Pod, status: PodStatus): void;
  /** The pod has stopped: its object may go. Resolves when it was asked to. */
  remove(pod: Pod): void;
  event(pod: Pod, event: PodEvent): void;
  /** Why there is no room for the pod as it is wanted now; undefined when there is. */
  admitResize?(pod: Pod): string | undefined;
  /** Who hears of a container's exit. */
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
  /** The container that it is about. */
  readonly container?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Why a pod has to end although it did nothing wrong itself. */
export interface PodEnd {
  readonly reason: string;
  readonly message: string;
  /** Containers get no longer than this, even if the pod asks for more. */
  readonly graceMs: number;
  /** It is told as a disruption, too, which disruption-aware controllers count. */
  readonly isDisruption: boolean;
  /** What the condition says of the disruption, where it is not the message. */
  readonly disruptionMessage?: string;
  /** Containers that end well meanwhile make the pod succeed. */
  readonly maySucceed?: boolean;
}
