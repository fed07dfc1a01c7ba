import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { ContainerUser } from '@coxswain/api/core/v1/container-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ImageInfo } from '../runtime.ts';
import type { Prober } from './prober.ts';

/**
 * An `init` container ends before the next starts; a `sidecar` is an init container that keeps running; an `ephemeral`
 * one was added to a running pod for debugging, runs once, and doesn't affect the pod's status; `app` is any other.
 */
export type ContainerRole = 'init' | 'sidecar' | 'app' | 'ephemeral';

/** The kubelet's state of one container of a pod. Modified only by the pod's worker. */
export interface ContainerRecord {
  spec: Container;
  /** As it was started or last resized: a resize under way brings it to `spec`. */
  actuated?: Container;
  readonly role: ContainerRole;
  /** `starting` includes pulling the image. */
  phase: 'waiting' | 'starting' | 'running' | 'terminated';
  /** Why it is waiting, if an attempt to start it failed. */
  waiting?: { readonly reason: string; readonly message?: string } | undefined;
  id?: string;
  image?: ImageInfo;
  startedMs: number;
  user?: ContainerUser | undefined;
  /** How the current run ended, while `phase` is `terminated`. */
  exit?: Termination | undefined;
  /** How the previous run ended. */
  last?: Termination | undefined;
  /** The number of restarts. */
  restarts: number;
  /** It is not started before this time. */
  retryAtMs: number;
  /** The delay after the next exit or failed pull. */
  backoffMs: number;
  /** Whether the startup probe has succeeded. */
  started: boolean;
  ready: boolean;
  stopping: boolean;
  /** The kubelet itself ended its last run, to start another one. */
  replaced?: boolean;
  neverReady?: boolean;
  /** All containers of the pod are restarting, and this one has not started yet. */
  anew?: boolean;
  /** Its active probes. */
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

/** Creates records for ephemeral containers that were added since the pod's records were created. */
export function addedRecords(pod: Pod, known: readonly ContainerRecord[]): ContainerRecord[] {
  const ephemeral = pod.spec?.ephemeralContainers ?? [];
  if (ephemeral.length === 0) return [];
  const names = new Set(known.map(({ spec }) => spec.name));
  return ephemeral.filter(({ name }) => !names.has(name)).map((spec) => newRecord(spec, 'ephemeral'));
}

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
