import {
  deepEqual,
  runStep,
  scopeOf,
  type StepObserver,
  type Timer,
  type Undertaking,
} from '@coxswain/apimachinery';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerExit, KnownPod, ResizedContainer, Sandbox } from '../runtime.ts';
import { podStatus, type PodFailure } from '../status/pod-status.ts';
import { statusPatch } from '../status/status-patch.ts';
import { adoptRecords, adoptRuns } from '../pod/adopt-records.ts';
import { addedRecords, containerRecords, isUp, type ContainerRecord } from '../pod/container-record.ts';
import { backOff, startRecord } from '../pod/container-starts.ts';
import { discardGraceMsOf, graceMsOf, stopRecord } from '../pod/container-stops.ts';
import { startProbing, stopProbing } from '../pod/health-watch.ts';
import { planPod } from '../pod/plan.ts';
import type { PodHost } from '../pod/pod-host.ts';
import { PodResizing } from '../pod/pod-resizing.ts';
import type { PodEnd, PodEvent, PodWorkerContext } from '../pod/pod-worker-context.ts';
import { containersOf, isResized, restartsForResize, withPodLimits, withResourcesOf } from '../pod/resize.ts';
import { resetForRestart, restartsAll } from '../pod/restart-all.ts';
import { restartsAfterExit } from '../pod/restart-policy.ts';
import { resetForSandbox } from '../pod/sandbox-loss.ts';
import { reportedMessage } from '../pod/termination-message.ts';
import { PodSandbox, sandboxFailure } from './pod-sandbox.ts';
import { WakeTimer } from './wake-timer.ts';

/** The minimum time for the runtime to end a container; otherwise one and a half times its grace period. */
const endMsMin = 10_000;

/** The most containers of a pod that are all looked at whenever one of them changes. */
const recordsAtOnceMax = 32;

const deadlineReason = 'DeadlineExceeded';
const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/**
 * Brings one pod from its spec to running containers and maintains it until it ends, fails or is deleted. {@link
 * planPod} decides; this class acts, one decision at a time.
 */
export class PodWorker implements PodHost {
  #pod: Pod;
  readonly context: PodWorkerContext;
  graceMsMax = Infinity;
  readonly #records: ContainerRecord[];
  readonly #sandbox: PodSandbox;
  #startMs: number;
  #status: PodStatus | undefined;
  #failure: PodFailure | undefined;
  /** For callers that wait for the end. */
  #ended: PromiseWithResolvers<void> | undefined;
  #resizing: PodResizing | undefined;
  /** A container's exit requires all to restart: the others are about to stop. */
  #restartingAll = false;
  /** What was in the lost sandbox is about to stop, before anything starts in the next one. */
  #isSandboxLost = false;
  #isOver = false;
  #isGone = false;
  /** The pod had ended before this kubelet started: its status is kept. */
  #endedBefore = false;
  #removalAsked = false;
  readonly #wake: WakeTimer;
  #settling: Timer | undefined;
  #deadline: Timer | undefined;
  /** Stops starts in progress when the pod must stop; kept until there are none. */
  #starting: AbortController | undefined;

  constructor(pod: Pod, context: PodWorkerContext) {
    this.#pod = pod;
    this.context = context;
    const started = pod.status?.startTime;
    this.#startMs = started ? Date.parse(started) : context.clock.now();
    this.#records = containerRecords(pod);
    this.#wake = new WakeTimer(context.clock, () => this.sync());
    this.#sandbox = new PodSandbox(context.runtime);
    this.#status = pod.status ?? undefined;
    this.#adopt();
    this.#watchDeadline();
  }

  get pod(): Pod {
    return this.#pod;
  }

  get sandbox(): Sandbox | undefined {
    return this.#sandbox.current;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get signal(): AbortSignal {
    return (this.#starting ??= new AbortController()).signal;
  }

  /** Whether it uses resources of the node. */
  get isActive(): boolean {
    return !this.#isOver && !this.#isGone;
  }

  /** Whether it was asked to end early. */
  get isEnding(): boolean {
    return this.#failure !== undefined;
  }

  /** Stops everything; resolves when nothing is running and its volumes are unmounted, or the runtime's time is up. */
  async end({ graceMs, maySucceed = false, ...why }: PodEnd): Promise<void> {
    if (this.#isOver || this.#isGone) return;
    this.#failure ??= { ...why, maySucceed };
    this.graceMsMax = Math.min(this.graceMsMax, Math.max(graceMs, endGraceMsMin));
    // The shorter grace period also applies to containers that are already stopping.
    for (const record of this.#records) {
      if (record.stopping && record.phase === 'running' && record.id !== undefined)
        this.run(this.context.runtime.stopContainer(record.id, graceMsOf(this)));
    }
    const timeout = Promise.withResolvers<void>();
    const timer = this.context.clock.after(Math.max(endMsMin, graceMs * 1.5), () => {
      const text = 'Container runtime did not kill the pod within specified grace period.';
      this.event('Warning', 'ExceededGracePeriod', text);
      timeout.resolve();
    });
    this.report();
    this.sync();
    this.#ended ??= Promise.withResolvers();
    await Promise.race([this.#ended.promise, timeout.promise]);
    timer.cancel();
  }

  refersTo(containerId: string): boolean {
    return this.#records.some(({ id, last }) => id === containerId || last?.id === containerId);
  }

  record(container: string): ContainerRecord | undefined {
    return this.#records.find(({ spec }) => spec.name === container);
  }

  start(): void {
    this.report();
    this.sync();
  }

  /** The object has changed. */
  update(updated: Pod): void {
    const before = this.#pod;
    const resized = isResized(updated, before);
    if (!resized) this.#resizing?.settled();
    const resizes = resized && this.#resizes.begins(updated);
    const pod = resized && !resizes ? withResourcesOf(before, updated) : updated;
    this.#pod = pod;
    this.#records.push(...addedRecords(pod, this.#records));
    const changed: ResizedContainer[] = [];
    const records = new Map(this.#records.map((record) => [record.spec.name, record]));
    for (const spec of containersOf(pod)) {
      const record = records.get(spec.name);
      // Informers may share equal parts: a changed limit of the pod leaves its containers the same values.
      if (record === undefined || (record.spec === spec && !resizes)) continue;
      const from = withPodLimits(record.spec, before);
      const to = withPodLimits(spec, pod);
      record.spec = spec;
      if (record.phase !== 'running' || record.stopping) continue;
      if (from.image !== to.image) this.#replace(record);
      else if (restartsForResize(from, to))
        stopRecord(this, record, graceMsOf(this), `Container ${spec.name} resize requires restart`);
      else if (!deepEqual(from.resources, to.resources)) changed.push({ id: record.id!, from, to });
    }
    if (resizes) this.#resizes.apply(before, pod, changed, () => this.#actuated(pod, changed));
    this.context.runtime.podChanged?.(pod);
    this.#watchDeadline();
    this.report();
    this.sync();
  }

  get #resizes(): PodResizing {
    return (this.#resizing ??= new PodResizing(this.context));
  }

  #actuated(pod: Pod, changed: readonly ResizedContainer[]): void {
    for (const spec of containersOf(pod)) {
      const record = this.record(spec.name);
      if (changed.some(({ id }) => id === record?.id)) record!.actuated = spec;
    }
    this.report();
  }

  /** There may be room now for a resize that waits. */
  retryResize(): void {
    const { pending } = this.#resizing ?? {};
    if (pending !== undefined) this.update(pending.pod);
  }

  /** The object is gone: stops what is running without reporting anything. */
  discard(): void {
    this.release();
    const { runtime } = this.context;
    const stops = this.#records.map(async (record) => {
      if (record.last !== undefined) runtime.removeContainer(record.last.id);
      if (record.id === undefined) return;
      this.context.unwatchContainer(record.id);
      if (record.phase === 'running') await runtime.stopContainer(record.id, discardGraceMsOf(this));
      runtime.removeContainer(record.id);
    });
    this.run(
      Promise.all([...stops, this.#sandbox.created])
        .then(() => (this.#isOver ? this.#sandbox.stopped : this.#sandbox.stop(this.#pod)))
        .then(() => runtime.removePod?.(this.#pod))
        .finally(() => this.#ended?.resolve()),
    );
  }

  /** Stops managing the pod without ending it; its containers keep running. */
  release(): void {
    this.#isGone = true;
    this.#starting?.abort();
    this.#wake.cancel();
    this.#settling?.cancel();
    this.#deadline?.cancel();
    for (const record of this.#records) stopProbing(record);
  }

  /** Its network is gone: stops what is running in it, and starts again from the beginning in another one. */
  sandboxLost(id: string): void {
    if (this.#sandbox.current?.id !== id || this.#isGone || this.#isOver) return;
    this.#loseSandbox();
    this.sync();
    this.report();
  }

  #loseSandbox(): void {
    this.#sandbox.current = undefined;
    this.#isSandboxLost = true;
    const message = 'Pod sandbox changed, it will be killed and re-created.';
    this.event('Normal', 'SandboxChanged', message);
    for (const record of this.#records) stopRecord(this, record, graceMsOf(this));
  }

  watch(id: string): void {
    this.context.watchContainer(id, this);
  }

  containerExited(id: string, exit: ContainerExit): void {
    const record = this.#records.find((one) => one.id === id);
    if (record === undefined || this.#isGone) return;
    this.context.unwatchContainer(id);
    stopProbing(record);
    const { exitCode, reason, message, finishedMs } = exit;
    const run = { exitCode, reason, startedMs: record.startedMs, finishedMs, id };
    record.exit =
      message === undefined ? run : { ...run, message: reportedMessage(message, this.#records.length) };
    record.phase = 'terminated';
    record.started = false;
    record.ready = false;
    record.replaced = record.stopping && !this.#restartingAll;
    record.stopping = false;
    if (!this.#isStopping && restartsAll(record, exitCode)) this.#restartAll();
    else if (!this.#isStopping && !this.#isStartingAgain && restartsAfterExit(this.#pod, record, exitCode))
      backOff(this, record);
    this.#containerChanged();
  }

  #restartAll(): void {
    if (this.#restartingAll) return;
    this.#restartingAll = true;
    for (const record of this.#records) {
      if (record.role !== 'ephemeral' && isUp(record)) stopRecord(this, record, 0, 'killing');
    }
    this.report();
  }

  /** As a whole: what ends meanwhile is not to blame. */
  get #isStartingAgain(): boolean {
    return this.#restartingAll || this.#isSandboxLost;
  }

  get #isStopping(): boolean {
    return this.#isOver || this.#failure !== undefined || Boolean(this.#pod.metadata?.deletionTimestamp);
  }

  sync(): void {
    if (this.#isGone) return;
    const { observer } = this.context;
    if (observer === undefined) this.#syncPod();
    else
      runStep(
        scopeOf(observer, () => this.#undertaking(observer)),
        'sync',
        () => this.#syncPod(),
        undefined,
        this.#syncPod,
      );
  }

  #undertaking(observer: StepObserver): Undertaking {
    const { nodeName } = this.#pod.spec ?? {};
    const name = `${this.#pod.metadata?.namespace}/${this.#pod.metadata?.name}`;
    const cause = observer.causeOf?.(name);
    return {
      kind: 'sync',
      component: `kubelet/${nodeName}`,
      name,
      ...(cause && { causes: [cause] }),
    };
  }

  #syncPod(): void {
    const now = this.context.clock.now();
    if (this.#isStopping) this.#starting?.abort();
    else if (this.#restartingAll) {
      if (!resetForRestart(this.#records)) return;
      this.report();
      this.#restartingAll = false;
      this.#isSandboxLost = false;
    } else if (this.#isSandboxLost) {
      if (!resetForSandbox(this.#pod, this.#records)) return;
      this.#isSandboxLost = false;
    }
    const plan = planPod(this.#pod, this.#records, now, this.#isStopping);
    this.context.observer?.note?.({
      start: plan.start.map(({ spec }) => spec.name),
      stop: plan.stop.map(({ spec }) => spec.name),
      finished: plan.finished,
      ...(plan.wakeAtMs !== undefined && { backOffSeconds: (plan.wakeAtMs - now) / 1000 }),
    });
    if (plan.finished) return this.#finish();
    if (plan.start.length > 0 && this.#sandbox.current === undefined) return this.#createSandbox();
    for (const record of plan.start) startRecord(this, record);
    for (const record of plan.stop) stopRecord(this, record, graceMsOf(this));
    if (plan.wakeAtMs !== undefined) this.#wake.at(plan.wakeAtMs);
  }

  /** Replacing a container is one step, as in Kubernetes: nothing is reported between its end and its next start. */
  get #isReplacing(): boolean {
    return !this.#isStopping && this.#records.some(({ phase, replaced }) => phase === 'starting' && replaced);
  }

  #createSandbox(): void {
    this.#sandbox.create(
      this.#pod,
      () => {
        if (this.#isGone || this.#isOver) return;
        this.sync();
        this.report();
      },
      (error) => {
        if (this.#isGone || this.#isOver) return;
        const { reason, message, retryMs } = sandboxFailure(error);
        this.event('Warning', reason, message);
        this.#wake.at(this.context.clock.now() + retryMs);
      },
    );
  }

  up(record: ContainerRecord, hookFailed: boolean): void {
    record.phase = 'running';
    if (!this.#starting?.signal.aborted && this.#records.every(({ phase }) => phase !== 'starting'))
      this.#starting = undefined;
    if (this.#isGone || record.stopping) {
      record.stopping = true;
      this.run(
        this.context.runtime.stopContainer(
          record.id!,
          this.#isGone ? discardGraceMsOf(this) : graceMsOf(this),
        ),
      );
    } else if (hookFailed) stopRecord(this, record, graceMsOf(this), 'FailedPostStartHook');
    else startProbing(this, record);
    this.#containerChanged();
  }

  /** Looks at all containers: of a pod with very many once for all of them that changed in a turn. */
  #containerChanged(): void {
    if (this.#records.length <= recordsAtOnceMax) {
      this.sync();
      this.report();
    } else {
      this.#settling ??= this.context.clock.after(0, () => {
        this.#settling = undefined;
        this.sync();
        this.report();
      });
    }
  }

  #replace(record: ContainerRecord): void {
    const message = `Container ${record.spec.name} definition changed, will be restarted`;
    stopRecord(this, record, graceMsOf(this), message);
  }

  #finish(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#deadline?.cancel();
      this.run(this.#sandbox.stop(this.#pod).finally(() => this.#ended?.resolve()));
      this.report();
    }
    if (!this.#pod.metadata?.deletionTimestamp || this.#removalAsked) return;
    this.#removalAsked = true;
    this.run(this.#sandbox.stopped.then(() => this.context.remove(this.#pod)));
  }

  report(): void {
    if (this.#isGone || this.#endedBefore || this.#isReplacing) return;
    const { runtime, clock, hostIps } = this.context;
    const wanted = podStatus({
      pod: this.#pod,
      records: this.#records,
      sandbox: this.#sandbox.current,
      startMs: this.#startMs,
      hostIps,
      runtimeName: runtime.name,
      nowMs: clock.now(),
      isOver: this.#isOver,
      failure: this.#failure,
      enforcesResources: runtime.enforcesResources ?? false,
      pendingResize: this.#resizing?.pending,
      beforeResize: this.#resizing?.before(this.#records),
      restartingAll: this.#restartingAll,
      previous: this.#status,
    });
    this.#status = this.#isStored(wanted) ? this.#pod.status! : wanted;
    this.context.report(this.#pod, this.#status);
  }

  /** Whether the API already has this status, whose object is then reused. */
  #isStored(wanted: PodStatus): boolean {
    const { status } = this.#pod;
    return (
      status?.phase === wanted.phase &&
      status.startTime === wanted.startTime &&
      statusPatch(this.#pod, status, wanted) === undefined
    );
  }

  unhealthy(record: ContainerRecord, probe: 'startup' | 'liveness'): void {
    const { name, startupProbe, livenessProbe } = record.spec;
    const failed = probe === 'startup' ? startupProbe : livenessProbe;
    const message = `Container ${name} failed ${probe} probe, will be restarted`;
    stopRecord(this, record, graceMsOf(this, failed?.terminationGracePeriodSeconds), message);
  }

  #watchDeadline(): void {
    const seconds = this.#pod.spec?.activeDeadlineSeconds;
    if (seconds === undefined || seconds === null || this.#deadline !== undefined || this.#isOver) return;
    const leftMs = this.#startMs + seconds * 1000 - this.context.clock.now();
    this.#deadline = this.context.clock.after(Math.max(0, leftMs), () => {
      if (this.#isOver || this.#isGone) return;
      this.#failure ??= {
        reason: deadlineReason,
        message: deadlineMessage,
        isDisruption: false,
        maySucceed: false,
      };
      this.event('Normal', deadlineReason, deadlineMessage);
      this.report();
      this.sync();
    });
  }

  /** Containers that were running when the kubelet stopped continue; a pod that had ended remains so. */
  #adopt(): void {
    const { runtime } = this.context;
    const known = runtime.knownPod?.(this.#pod);
    const { phase } = this.#pod.status ?? {};
    if (phase === 'Succeeded' || phase === 'Failed') {
      adoptRecords(this.#pod, this.#records);
      this.#isOver = true;
      this.#endedBefore = true;
      this.#sandbox.current = known?.sandbox;
      this.run(this.#sandbox.stop(this.#pod));
      return;
    }
    if (known !== undefined) return this.#adoptRuns(known);
    const sandbox = adoptRecords(this.#pod, this.#records);
    if (sandbox === undefined) return;
    if (runtime.outlivesKubelet) this.#isSandboxLost = true;
    else this.#sandbox.current = sandbox;
    for (const record of this.#records) {
      if (record.phase !== 'running') continue;
      const { spec: container, restarts } = record;
      const request = { pod: this.#pod, sandbox, container, restarts, signal: this.signal };
      const run = { id: record.id!, startedMs: record.startedMs, image: record.image! };
      this.watch(record.id!);
      if (runtime.adoptContainer(request, run)) startProbing(this, record);
      else this.containerExited(record.id!, { ...lostExit, finishedMs: this.context.clock.now() });
    }
  }

  #adoptRuns(known: KnownPod): void {
    const outdated = adoptRuns(this.#pod, this.#records, known.runs, this.context.backoffMsMax);
    this.#sandbox.current = known.sandbox;
    for (const record of this.#records) {
      if (record.phase !== 'running') continue;
      this.watch(record.id!);
      startProbing(this, record);
    }
    if (known.sandbox === undefined) this.#loseSandbox();
    else for (const record of outdated) this.#replace(record);
  }

  event(type: PodEvent['type'], reason: string, message: string, container?: string): void {
    this.context.event(this.#pod, {
      type,
      reason,
      message,
      ...(container === undefined ? {} : { container }),
    });
  }

  run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.context.onError(error));
  }
}

/** Even a pod that must go at once is asked to stop first. */
const endGraceMsMin = 1_000;

const lostExit = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
} as const;
