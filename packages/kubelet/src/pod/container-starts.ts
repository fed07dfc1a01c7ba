/** Starts containers of a pod, and notes how that went: up, stopped meanwhile, failed and tried again later. */
import { formatDurationMs } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { RuntimeFailure, Sandbox } from '../runtime.ts';
import { backOffAfterExit, backOffAfterPull } from './back-off.ts';
import type { ContainerRecord } from './container-record.ts';
import { runHook } from './lifecycle-hook.ts';
import type { PodEvent, PodWorkerContext } from './pod-worker-context.ts';
import { restartsAfterExit } from './restart-policy.ts';
import { startContainer } from './start-container.ts';
import type { StartOutcome } from './start-container.ts';

/** The pod that the containers are of. */
export interface StartHost {
  readonly context: PodWorkerContext;
  /** Aborts when the pod is to stop. */
  readonly signal: AbortSignal;
  pod(): Pod;
  sandbox(): Sandbox | undefined;
  isGone(): boolean;
  /** Hears of the end of what has started. */
  watch(id: string): void;
  /** It runs; `hookFailed` when it is to stop again, since its hook failed. */
  up(record: ContainerRecord, hookFailed: boolean): void;
  event(type: PodEvent['type'], reason: string, message: string, container?: string): void;
  report(): void;
  sync(): void;
  run(work: Promise<unknown>): void;
}

const startRetryMs = 10_000;
const backOffShownAfterMs = 1_000;

export class ContainerStarts {
  readonly #host: StartHost;

  constructor(host: StartHost) {
    this.#host = host;
  }

  start(record: ContainerRecord): void {
    const before = record.phase;
    record.phase = 'starting';
    const event = (type: PodEvent['type'], reason: string, message: string) =>
      this.#host.event(type, reason, message, record.spec.name);
    const request = {
      pod: this.#host.pod(),
      sandbox: this.#host.sandbox()!,
      container: record.spec,
      restarts: record.exit === undefined && record.last === undefined ? 0 : record.restarts + 1,
      signal: this.#host.signal,
    };
    const work = startContainer(this.#host.context.runtime, request, event).then((outcome) => {
      if (outcome.kind === 'stopped') return this.#startStopped(record);
      if (outcome.kind === 'failed') return this.#startFailed(record, before, request.restarts, outcome);
      const { started, image } = outcome;
      if (record.exit !== undefined) {
        if (record.last !== undefined) this.#host.context.runtime.removeContainer(record.last.id);
        record.last = record.exit;
      }
      record.exit = undefined;
      record.waiting = undefined;
      record.id = started.id;
      record.image = image;
      record.startedMs = started.startedMs;
      record.neverReady = started.neverReady ?? false;
      record.restarts = request.restarts;
      record.anew = false;
      this.#host.watch(started.id);
      return record.spec.lifecycle?.postStart ? this.#afterStart(record) : this.#host.up(record, false);
    });
    this.#host.run(work);
  }

  /** Until its hook has ended, a container counts as one that is being started. */
  async #afterStart(record: ContainerRecord): Promise<void> {
    const { runtime, clock } = this.#host.context;
    const { signal } = this.#host;
    const id = record.id!;
    const handler = record.spec.lifecycle!.postStart!;
    let hookFailed = false;
    try {
      await runHook({ runtime, clock, id, kind: 'PostStart', handler, signal });
    } catch {
      // Why it failed isn't told: it may hold a secret. A pod that is to stop meanwhile stops it as any other.
      hookFailed = !signal.aborted;
    }
    // It may have ended by itself meanwhile.
    if (record.id !== id || record.phase !== 'starting') return;
    if (hookFailed)
      this.#host.event('Warning', 'FailedPostStartHook', 'PostStartHook failed', record.spec.name);
    this.#host.up(record, hookFailed);
  }

  #startStopped(record: ContainerRecord): void {
    record.phase = record.exit === undefined ? 'waiting' : 'terminated';
    record.stopping = false;
    this.#host.sync();
    this.#host.report();
  }

  #startFailed(
    record: ContainerRecord,
    before: ContainerRecord['phase'],
    restarts: number,
    { reason, message, backsOff, ended, image }: Extract<StartOutcome, { kind: 'failed' }>,
  ): void {
    const now = this.#host.context.clock.now();
    if (before === 'terminated') record.last = record.exit;
    record.exit = undefined;
    record.phase = 'waiting';
    record.waiting = { reason, message };
    record.stopping = false;
    if (ended !== undefined && image !== undefined) record.image = image;
    if (ended !== undefined) this.#countRun(record, ended, restarts);
    else if (backsOff) backOffAfterPull(record, now);
    else record.retryAtMs = now + startRetryMs;
    this.#host.report();
    if (reason === 'ErrImagePull') this.#showPullBackOff(record, message);
    this.#host.sync();
  }

  /** A container that could not be started counts as one that ran: it waits longer each time. */
  #countRun(
    record: ContainerRecord,
    { id, exit }: NonNullable<RuntimeFailure['ended']>,
    restarts: number,
  ): void {
    if (record.last !== undefined) this.#host.context.runtime.removeContainer(record.last.id);
    record.id = id;
    record.restarts = restarts;
    record.last = { ...exit, id, startedMs: 0 };
    record.startedMs = exit.finishedMs;
    if (restartsAfterExit(this.#host.pod(), record, exit.exitCode)) {
      const now = this.#host.context.clock.now();
      const waiting = crashLoop(record, this.#host.pod());
      backOffAfterExit(record, now, this.#host.context.backoffMsMax);
      if (record.retryAtMs <= now) return;
      return this.#showLater(record, () => {
        record.waiting = waiting;
        this.#tellBackOff(record);
      });
    }
    record.phase = 'terminated';
    record.exit = record.last;
    record.last = undefined;
    record.waiting = undefined;
  }

  #showPullBackOff(record: ContainerRecord, failure: string): void {
    this.#showLater(record, () => {
      const message = `Back-off pulling image "${record.spec.image ?? ''}"`;
      record.waiting = { reason: 'ImagePullBackOff', message: `${message}: ErrImagePull: ${failure}` };
      this.#host.event('Normal', 'BackOff', message, record.spec.name);
      this.#host.event('Warning', 'Failed', 'Error: ImagePullBackOff', record.spec.name);
    });
  }

  /** The failure itself is shown first, then that it is waited out. */
  #showLater(record: ContainerRecord, show: () => void): void {
    const failure = record.waiting;
    this.#host.context.clock.after(
      backOffShownAfterMs,
      () => {
        if (this.#host.isGone() || record.phase !== 'waiting' || record.waiting !== failure) return;
        show();
        this.#host.report();
      },
      { idle: true },
    );
  }

  /** After an exit: now, or when it has waited long enough. */
  backOff(record: ContainerRecord): void {
    const now = this.#host.context.clock.now();
    const waiting = crashLoop(record, this.#host.pod());
    backOffAfterExit(record, now, this.#host.context.backoffMsMax);
    if (record.retryAtMs <= now) return;
    record.last = record.exit;
    record.exit = undefined;
    record.phase = 'waiting';
    record.waiting = waiting;
    this.#tellBackOff(record);
  }

  #tellBackOff({ spec: { name } }: ContainerRecord): void {
    this.#host.event(
      'Warning',
      'BackOff',
      `Back-off restarting failed container ${name} in pod ${fullName(this.#host.pod())}`,
      name,
    );
  }
}

/** @param record before its next wait is reckoned */
const crashLoop = ({ backoffMs, spec }: ContainerRecord, pod: Pod) => ({
  reason: 'CrashLoopBackOff',
  message: `back-off ${formatDurationMs(backoffMs)} restarting failed container=${spec.name} pod=${fullName(pod)}`,
});

/** As messages name it. */
function fullName({ metadata }: Pod): string {
  const { name, namespace, uid } = metadata ?? {};
  return `${name}_${namespace}(${uid})`;
}
