/** The interface of a pod's worker to the code that starts, stops and watches its containers. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Sandbox } from '../runtime.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodEvent, PodWorkerContext } from './pod-worker-context.ts';

export interface PodHost {
  readonly context: PodWorkerContext;
  readonly pod: Pod;
  readonly sandbox: Sandbox | undefined;
  /** The object is gone or the kubelet is stopping: nothing is reported any more. */
  readonly isGone: boolean;
  /** Aborts when the pod must stop. */
  readonly signal: AbortSignal;
  /** The maximum grace period of its containers, shorter than the pod's own if the node can't wait. */
  readonly graceMsMax: number;
  /** Reports the end of a started container. */
  watch(id: string): void;
  /** The container is running; `hookFailed` if it must stop again because its hook failed. */
  up(record: ContainerRecord, hookFailed: boolean): void;
  /** A probe has failed often enough for the container to be restarted. */
  unhealthy(record: ContainerRecord, probe: 'startup' | 'liveness'): void;
  event(type: PodEvent['type'], reason: string, message: string, container?: string): void;
  /** Reports the pod's current status. */
  report(): void;
  /** Decides what to do next. */
  sync(): void;
  /** Runs work and reports its failure. */
  run(work: Promise<unknown>): void;
}
