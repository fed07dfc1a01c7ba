/** Stops containers of a pod: what they want done before, then the time that they get. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerRecord } from './container-record.ts';
import type { HealthWatch } from './health-watch.ts';
import { runStopHook } from './lifecycle-hook.ts';
import type { PodEvent, PodWorkerContext } from './pod-worker-context.ts';

export interface StopHost {
  readonly context: PodWorkerContext;
  readonly health: HealthWatch;
  pod(): Pod;
  event(type: PodEvent['type'], reason: string, message: string, container?: string): void;
  run(work: Promise<unknown>): void;
}

const defaultGraceSeconds = 30;

export class ContainerStops {
  readonly #host: StopHost;
  /** Shorter than what the pod asks for, when the node can't wait. */
  graceMsMax = Infinity;

  constructor(host: StopHost) {
    this.#host = host;
  }

  stop(record: ContainerRecord, graceMs: number, message = `Stopping container ${record.spec.name}`): void {
    if (record.stopping) return;
    record.stopping = true;
    this.#host.health.stop(record);
    if (record.phase !== 'running' || record.id === undefined) return;
    this.#host.event('Normal', 'Killing', message, record.spec.name);
    this.#host.run(this.#stopRunning(record, record.id, graceMs));
  }

  /** First what the container wants done before it stops, within its grace period. */
  async #stopRunning({ spec }: ContainerRecord, id: string, graceMs: number): Promise<void> {
    const { runtime, clock } = this.#host.context;
    const handler = spec.lifecycle?.preStop;
    if (!handler || graceMs <= 0) return runtime.stopContainer(id, graceMs);
    const failed = () => this.#host.event('Warning', 'FailedPreStopHook', 'PreStopHook failed', spec.name);
    const leftMs = await runStopHook({ runtime, clock, id, kind: 'PreStop', handler }, graceMs, failed);
    await runtime.stopContainer(id, leftMs);
  }

  /** @param probeSeconds what a probe that has failed says of its container; a pod that is deleted has its own time */
  graceMs(probeSeconds?: number | null): number {
    const { metadata, spec } = this.#host.pod();
    const seconds = metadata?.deletionTimestamp ? metadata.deletionGracePeriodSeconds : probeSeconds;
    const wantedMs = (seconds ?? spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000;
    return Math.min(wantedMs, this.graceMsMax);
  }

  /** Of a pod whose object is gone: what it was deleted with, but never nothing where processes are real. */
  discardGraceMs(): number {
    if (!this.#host.context.runtime.outlivesKubelet) return 0;
    const seconds = this.#host.pod().metadata?.deletionGracePeriodSeconds;
    return seconds === undefined || seconds === null ? this.graceMs() : Math.max(1, seconds) * 1000;
  }
}
