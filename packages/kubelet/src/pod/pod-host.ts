/** What starts, stops and watches the containers of a pod has of the pod's worker, and tells it. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Sandbox } from '../runtime.ts';
import type { ContainerRecord } from './container-record.ts';
import type { PodEvent, PodWorkerContext } from './pod-worker-context.ts';

export interface PodHost {
  readonly context: PodWorkerContext;
  readonly pod: Pod;
  readonly sandbox: Sandbox | undefined;
  /** The object is gone, or the kubelet stops: nothing is to be told any more. */
  readonly isGone: boolean;
  /** Aborts when the pod is to stop. */
  readonly signal: AbortSignal;
  /** What its containers get to end at most: less than the pod asks for, when the node can't wait. */
  readonly graceMsMax: number;
  /** Hears of the end of what has started. */
  watch(id: string): void;
  /** It runs; `hookFailed` when it is to stop again, since its hook failed. */
  up(record: ContainerRecord, hookFailed: boolean): void;
  /** A probe has failed so often that the container is to be restarted. */
  unhealthy(record: ContainerRecord, probe: 'startup' | 'liveness'): void;
  event(type: PodEvent['type'], reason: string, message: string, container?: string): void;
  /** Tells what the pod's status is now. */
  report(): void;
  /** Decides what is to be done next. */
  sync(): void;
  /** Failures of the work are reported. */
  run(work: Promise<unknown>): void;
}
