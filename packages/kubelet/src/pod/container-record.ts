import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ImageInfo } from '../runtime.ts';
import type { Prober } from './prober.ts';

/**
 * `init` ends before the next starts; `sidecar` is an init container that stays; `ephemeral` was added to a pod
 * to look into it, runs once, and counts for nothing; `app` is the rest.
 */
export type ContainerRole = 'init' | 'sidecar' | 'app' | 'ephemeral';

/** What the kubelet knows of one container of a pod. Changed only by the pod's worker. */
export interface ContainerRecord {
  spec: Container;
  readonly role: ContainerRole;
  /** `starting` covers pulling the image. */
  phase: 'waiting' | 'starting' | 'running' | 'terminated';
  /** Why it waits, when it was tried and could not be started. */
  waiting?: { readonly reason: string; readonly message?: string } | undefined;
  id?: string;
  image?: ImageInfo;
  startedMs: number;
  /** The present run's end, while `phase` is `terminated`. */
  exit?: Termination | undefined;
  /** The run before. */
  last?: Termination | undefined;
  /** How often it was started again. */
  restarts: number;
  /** It is not started before this time. */
  retryAtMs: number;
  /** The wait after the next exit or failed pull. */
  backoffMs: number;
  /** The startup probe has passed. */
  started: boolean;
  ready: boolean;
  stopping: boolean;
  neverReady?: boolean;
  /** All containers of the pod start anew, and this one has not yet. */
  anew?: boolean;
  /** What asks it how it is. */
  probers?: readonly Prober[] | undefined;
}

export interface Termination {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly id: string;
}

export function containerRecords(pod: Pod): ContainerRecord[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  return initContainers
    .map((spec) => newRecord(spec, spec.restartPolicy === 'Always' ? 'sidecar' : 'init'))
    .concat(
      containers.map((spec) => newRecord(spec, 'app')),
      ephemeralContainers.map((spec) => newRecord(spec, 'ephemeral')),
    );
}

/** Records of the ephemeral containers that a pod was given since its records were made. */
export const addedRecords = (pod: Pod, known: readonly ContainerRecord[]): ContainerRecord[] =>
  (pod.spec?.ephemeralContainers ?? [])
    .filter(({ name }) => !known.some(({ spec }) => spec.name === name))
    .map((spec) => newRecord(spec, 'ephemeral'));

export const newRecord = (spec: Container, role: ContainerRole): ContainerRecord => ({
  spec,
  role,
  phase: 'waiting',
  startedMs: 0,
  restarts: 0,
  retryAtMs: 0,
  backoffMs: 0,
  started: false,
  ready: false,
  stopping: false,
});

export const isUp = ({ phase }: ContainerRecord): boolean => phase === 'running' || phase === 'starting';
