import { StatusError, notFound, type Clock, type StepObserver } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ContainerTarget, ExecStreams, KubeletConnection, LogOptions, PodTarget } from './connection.ts';
import type { ContainerRecord } from './pod/container-record.ts';
import { PodWorker } from './worker/pod-worker.ts';
import { NodePods } from './worker/node-pods.ts';
import type { ExitListener, PodEvent, PodWorkerContext } from './pod/pod-worker-context.ts';
import { admit, resizeRefusal, type Admission, type Refusal, type Shortage } from './node/admit.ts';
import { defaultCapacity, type NodeSpec } from './node/node-spec.ts';
import { nodeLabels } from './node/node-object.ts';
import { noRoomToMake, preempted, preemptedEnd, preemptionFor } from './node/preemption.ts';
import type { Runtime } from './runtime.ts';
import { isCritical } from './pod/pod-source.ts';
import { rejectedStatus } from './status/pod-status.ts';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import { hasEnded } from './status/phase.ts';
import { observedRuntime } from './runtime-steps.ts';
import type { StatusWriter } from './status/status-writer.ts';

export interface KubeletOptions {
  readonly spec: NodeSpec;
  /** The shared registry of the node's pods. Defaults to one of its own. */
  readonly pods?: NodePods;
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly observer?: StepObserver | undefined;
  readonly writer: Pick<StatusWriter, 'report' | 'remove' | 'forget'>;
  /** The node as stored in the API, with labels added by others. */
  readonly node: () => Node | undefined;
  readonly event: (pod: Pod, event: PodEvent) => void;
  readonly onError: (error: unknown) => void;
  /** The maximum back-off of container restarts. Defaults to five minutes. */
  readonly backoffMsMax?: number | undefined;
  /** Returns why the node as a whole does not admit such a pod now; asked before its resource needs are checked. */
  readonly refuse?: (pod: Pod) => Refusal | undefined;
  /** Called for each pod that was preempted by a critical one, with the resource that was short. */
  readonly preempted?: (resource: string) => void;
  /** Reserves devices of plugins for a pod; undefined if it needs none. Rejects with the reason if that fails. */
  readonly allocate?: (pod: Pod) => Promise<void> | undefined;
  /** Adds the devices of a pod's containers to its status. */
  readonly withDevices?: (pod: Pod, status: PodStatus) => PodStatus;
}

/** The pods of one node: it is notified of each change and keeps a {@link PodWorker} for each pod. */
export class Kubelet implements KubeletConnection {
  readonly #options: KubeletOptions;
  readonly #pods: NodePods;
  readonly #workerContext: PodWorkerContext;
  readonly #byContainer = new Map<string, ExitListener>();
  /** Rejected pods, which only have a status. */
  readonly #rejected = new Set<string>();
  /** Pods that wait for devices or for room, in their current API state. */
  readonly #waiting = new Map<string, Pod>();
  /** While pods end to make room for a critical one, no other pod is admitted. */
  #preemption: Promise<void> | undefined;

  constructor(options: KubeletOptions) {
    this.#options = options;
    this.#pods = options.pods ?? new NodePods(options.spec.address);
    this.#workerContext = this.#contextOfWorkers();
    options.runtime.listen({
      exited: (id, exit) => this.#byContainer.get(id)?.containerExited(id, exit),
      sandboxLost: (podUid, id) => this.#pods.workerOf(podUid)?.sandboxLost(id),
    });
  }

  /** Handles all pods of this node at the start; the oldest have the first claim on its resources. */
  takeUp(pods: readonly Pod[]): void {
    this.#options.runtime.podsKnown?.(pods);
    for (const pod of pods.toSorted(byCreation)) this.podChanged(pod);
  }

  /** Handles a pod of this node in its current API state. */
  podChanged(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const worker = this.#pods.workerOf(uid);
    if (worker !== undefined) return worker.update(pod);
    if (this.#rejected.has(uid)) {
      if (pod.metadata?.deletionTimestamp) this.#options.writer.remove(pod);
      return;
    }
    if (this.#waiting.has(uid)) {
      this.#waiting.set(uid, pod);
      return;
    }
    if (hasEnded(pod) || !this.#allocate(pod, uid)) this.#admitAndStart(pod, uid);
  }

  podGone(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    this.#rejected.delete(uid);
    this.#waiting.delete(uid);
    this.#options.writer.forget(pod);
    this.#pods.workerOf(uid)?.discard();
    this.#pods.remove(uid);
    for (const worker of this.#pods.workers()) worker.retryResize();
  }

  /** Stops without ending pods: a kubelet of this node finds them again when it starts. */
  stop(): void {
    for (const worker of this.#pods.workers()) {
      if (this.#options.runtime.outlivesKubelet) worker.release();
      else worker.discard();
    }
    this.#pods.clear();
  }

  async logs(target: ContainerTarget, options: LogOptions): Promise<AsyncIterable<Uint8Array>> {
    const { worker, record } = this.#find(target);
    const id = options.previous ? record.last?.id : (record.id ?? record.last?.id);
    if (id === undefined) throw whyNoLogs(worker.pod, record, options.previous ?? false);
    return this.#options.runtime.logs(id, options);
  }

  async exec(target: ContainerTarget, command: readonly string[], streams: ExecStreams): Promise<number> {
    return this.#options.runtime.exec(this.#runningId(target), command, streams);
  }

  async attach(target: ContainerTarget, streams: ExecStreams): Promise<void> {
    return this.#options.runtime.attach(this.#runningId(target), streams);
  }

  /** @throws StatusError if the container isn't running */
  runningContainer(target: ContainerTarget): string {
    return this.#runningId(target);
  }

  /** @throws StatusError if the pod has no network */
  sandboxOf(target: PodTarget): string {
    const worker = this.#workerOf(target);
    if (worker.sandbox !== undefined) return worker.sandbox.id;
    throw new StatusError(400, 'BadRequest', `pod ${target.name} is not running`);
  }

  pods(): readonly Pod[] {
    return this.#pods.all();
  }

  async portForward(target: PodTarget, port: number, streams: ExecStreams): Promise<void> {
    const worker = this.#workerOf(target);
    if (worker.sandbox === undefined)
      throw new StatusError(400, 'BadRequest', `pod ${target.name} is not running`);
    await this.#options.runtime.portForward(worker.sandbox, port, streams);
  }

  /** Returns false if the pod need not wait. */
  #allocate(pod: Pod, uid: string): boolean {
    const allocated = this.#options.allocate?.(pod);
    if (allocated === undefined) return false;
    this.#waitFor(allocated, pod, uid, (newest, error) => {
      if (error === undefined || hasStarted(newest)) return this.#admitAndStart(newest, uid);
      const why = messageOf(error);
      const message = `Allocate failed due to ${why}, which is unexpected`;
      this.#reject(newest, { reason: 'UnexpectedAdmissionError', message });
    });
    return true;
  }

  /** Continues with the pod in its API state at that time; it may be gone by then. */
  #waitFor(work: Promise<void>, pod: Pod, uid: string, goOn: (newest: Pod, error?: unknown) => void): void {
    this.#waiting.set(uid, pod);
    const settle = (error?: unknown): void => {
      const newest = this.#waiting.get(uid);
      if (newest === undefined) return;
      this.#waiting.delete(uid);
      goOn(newest, error);
    };
    work.then(() => settle(), settle);
  }

  #admitAndStart(pod: Pod, uid: string): void {
    // A running pod was already admitted before a restart.
    if (hasEnded(pod) || hasStarted(pod)) return this.#start(pod, uid);
    if (this.#preemption !== undefined)
      return this.#waitFor(this.#preemption, pod, uid, (newest) => this.#admitAndStart(newest, uid));
    const { shortages, refusals } = this.#admission(pod);
    const mayPreempt = isCritical(pod);
    const refusal = mayPreempt ? refusals[0] : (shortages[0] ?? refusals[0]);
    if (refusal !== undefined) this.#reject(pod, refusal);
    else if (shortages.length > 0) this.#makeRoom(pod, uid, shortages);
    else this.#start(pod, uid);
  }

  #admission(pod: Pod): Admission {
    const refusal = this.#options.refuse?.(pod);
    if (refusal !== undefined) return { shortages: [], refusals: [refusal] };
    const { spec, node } = this.#options;
    const seen = node() ?? {
      metadata: { name: spec.name, labels: { ...nodeLabels(spec.name), ...spec.labels } },
    };
    return admit(pod, this.#pods.othersThan(pod), seen, this.#allocatable);
  }

  #makeRoom(pod: Pod, uid: string, shortages: readonly Shortage[]): void {
    const { pods, missing } = preemptionFor(pod, this.#pods.active(), shortages);
    if (missing.length > 0) return this.#reject(pod, noRoomToMake(missing));
    this.#preemption = this.#preempt(pods, shortages[0]!.resource).finally(
      () => (this.#preemption = undefined),
    );
    this.#waitFor(this.#preemption, pod, uid, (newest) => this.#start(newest, uid));
  }

  async #preempt(pods: readonly Pod[], resource: string): Promise<void> {
    for (const pod of pods) {
      this.#options.event(pod, { type: 'Warning', ...preempted });
      await this.#pods.end(pod.metadata?.uid ?? '', preemptedEnd(pod));
      this.#options.preempted?.(resource);
    }
  }

  #start(pod: Pod, uid: string): void {
    const worker = new PodWorker(pod, this.#workerContext);
    this.#pods.add(uid, worker);
    worker.start();
  }

  #contextOfWorkers(): PodWorkerContext {
    const { runtime, clock, observer, writer, event, onError, spec } = this.#options;
    return {
      runtime: observedRuntime(runtime, observer),
      clock,
      observer,
      hostIps: [spec.address],
      backoffMsMax: this.#options.backoffMsMax,
      report: (reported, status) =>
        writer.report(reported, this.#options.withDevices?.(reported, status) ?? status),
      remove: (removed) => writer.remove(removed),
      event,
      watchContainer: (id, owner) => void this.#byContainer.set(id, owner),
      unwatchContainer: (id) => void this.#byContainer.delete(id),
      onError,
      admitResize: (resized) => this.#resizeRefusal(resized),
    };
  }

  #reject(pod: Pod, { reason, message }: Refusal): void {
    const { clock, writer, event } = this.#options;
    event(pod, { type: 'Warning', reason, message });
    this.#rejected.add(pod.metadata?.uid ?? '');
    writer.report(pod, rejectedStatus(pod, reason, message, clock.now()));
  }

  #resizeRefusal(pod: Pod): string | undefined {
    return resizeRefusal(pod, this.#pods.othersThan(pod), this.#allocatable);
  }

  get #allocatable(): Readonly<Record<string, string>> {
    const { spec, node } = this.#options;
    return node()?.status?.allocatable ?? { ...defaultCapacity, ...spec.capacity };
  }

  #workerOf({ namespace, name, uid }: PodTarget): PodWorker {
    for (const worker of this.#pods.workers()) {
      const { metadata } = worker.pod;
      if (
        metadata?.name === name &&
        metadata.namespace === namespace &&
        (uid === undefined || metadata.uid === uid)
      ) {
        return worker;
      }
    }
    throw notFound({ group: '', resource: 'pods' }, name);
  }

  #find(target: ContainerTarget): { worker: PodWorker; record: ContainerRecord } {
    const worker = this.#workerOf(target);
    const record = worker.record(target.container);
    if (record !== undefined) return { worker, record };
    throw new StatusError(
      400,
      'BadRequest',
      `container ${target.container} is not valid for pod ${target.name}`,
    );
  }

  #runningId(target: ContainerTarget): string {
    const { record } = this.#find(target);
    if (record.phase === 'running' && record.id !== undefined) return record.id;
    throw new StatusError(500, 'InternalError', `container not found ("${target.container}")`);
  }
}

const byCreation = ({ metadata: a }: Pod, { metadata: b }: Pod): number =>
  Date.parse(a?.creationTimestamp ?? '') - Date.parse(b?.creationTimestamp ?? '') || 0;

const hasStarted = ({ status }: Pod): boolean => Boolean(status?.containerStatuses?.length);

function whyNoLogs(pod: Pod, record: ContainerRecord, previous: boolean): StatusError {
  const container = record.spec.name;
  const name = pod.metadata?.name ?? '';
  const text = previous
    ? `previous terminated container "${container}" in pod "${name}" not found`
    : `container "${container}" in pod "${name}" is waiting to start: ${record.waiting?.reason ?? 'ContainerCreating'}`;
  return new StatusError(400, 'BadRequest', text);
}
