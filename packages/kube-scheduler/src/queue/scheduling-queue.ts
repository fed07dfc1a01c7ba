import {
  here,
  PendingCauses,
  runStep,
  scopeOf,
  type Cause,
  type Clock,
  type StepObserver,
  type Timer,
  type Undertaking,
} from '@coxswain/apimachinery';
import { updatedPodInfo, podInfo, type PodInfo } from '../cache/pod-info.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { KeyedHeap } from './keyed-heap.ts';
import type { SchedulerMetrics } from '../metrics/scheduler-metrics.ts';
import { eventLabel } from '../metrics/event-label.ts';
import type { QueuedPod, QueuePlace } from '../framework/queued-pod.ts';
import { queueTimes, type QueueTimes } from './queue-times.ts';

/** Back-offs end at whole seconds, so that pods that become eligible in the same second are tried in queue order. */
const backoffWindowMs = 1_000;
/** The interval of checks for pods that have rested too long. */
const restingCheckMs = 30_000;

/** What the queue needs from a pod's profile. */
export interface QueuePolicy {
  compare(a: QueuedPod, b: QueuedPod): number;
  /** Returns the plugin that does not admit the pod to the queue; undefined if none. */
  refusedAtGate(pod: PodInfo): string | undefined;
  /** Whether the event makes a retry worthwhile for a pod that these plugins refused. */
  isWorthRetry(
    pod: PodInfo,
    rejectedBy: ReadonlySet<string>,
    event: ClusterEvent,
    observer?: StepObserver,
  ): boolean;
}

/** Pods that wait for a node. See {@link QueuePlace} for their states. */
export class SchedulingQueue {
  readonly #pods = new Map<string, QueuedPod>();
  readonly #active: KeyedHeap<QueuedPod>;
  readonly #backoff: KeyedHeap<QueuedPod>;
  readonly #errorBackoff: KeyedHeap<QueuedPod>;
  readonly #resting = new Map<string, QueuedPod>();
  readonly #policy: QueuePolicy;
  readonly #clock: Clock;
  readonly #metrics: SchedulerMetrics | undefined;
  readonly #times: QueueTimes;
  #backoffTimer: { timer: Timer; dueMs: number } | undefined;
  #restingTimer: Timer | undefined;
  #waiting: (() => void) | undefined;
  readonly #observer: StepObserver | undefined;
  readonly #causes: PendingCauses | undefined;

  constructor(
    policy: QueuePolicy,
    clock: Clock,
    metrics?: SchedulerMetrics,
    times: QueueTimes = queueTimes(),
    observer?: StepObserver,
  ) {
    this.#observer = observer;
    this.#causes = observer && new PendingCauses(observer);
    this.#metrics = metrics;
    this.#times = times;
    this.#policy = policy;
    this.#clock = clock;
    const byBackoff = (a: QueuedPod, b: QueuedPod) =>
      a.backoffUntilMs - b.backoffUntilMs || policy.compare(a, b);
    this.#active = new KeyedHeap(keyOf, (a, b) => policy.compare(a, b));
    this.#backoff = new KeyedHeap(keyOf, byBackoff);
    this.#errorBackoff = new KeyedHeap(keyOf, byBackoff);
    if (metrics !== undefined) this.#describe(metrics);
  }

  #describe(metrics: SchedulerMetrics): void {
    const pending = (queue: string, read: () => number) =>
      metrics.reading('pending_pods', 'Pods that wait, by the queue that they are in.', { queue }, read);
    pending('active', () => this.#active.size);
    pending('backoff', () => this.#backoff.size + this.#errorBackoff.size);
    pending('unschedulable', () => this.#resting.size);
    pending('gated', () => this.#count('gated'));
  }

  #count(place: QueuePlace): number {
    let count = 0;
    for (const pod of this.#pods.values()) if (pod.place === place) count++;
    return count;
  }

  /** Lists the plugins that refused pending pods, each with the pod's profile. */
  *refusals(): Generator<{ readonly plugin: string; readonly profile: string }> {
    for (const { place, info, rejectedBy } of this.#pods.values()) {
      if (place !== 'resting' && place !== 'gated') continue;
      const profile = info.pod.spec?.schedulerName || 'default-scheduler';
      for (const plugin of rejectedBy) yield { plugin, profile };
    }
  }

  /** Returns why the pod is tried, as far as known; called once per attempt. */
  causesOf({ info }: QueuedPod): readonly Cause[] {
    return this.#causes?.take(info.key) ?? [];
  }

  get size(): number {
    return this.#pods.size;
  }

  placeOf(uid: string): QueuePlace | undefined {
    return this.#pods.get(uid)?.place;
  }

  infoOf(uid: string): PodInfo | undefined {
    return this.#pods.get(uid)?.info;
  }

  add(info: PodInfo): void {
    const now = this.#clock.now();
    const pod: QueuedPod = {
      info,
      uid: info.uid,
      queuedMs: now,
      attempts: 0,
      poppedMs: 0,
      firstPoppedMs: 0,
      refusals: 0,
      errors: 0,
      backoffUntilMs: 0,
      restingSinceMs: 0,
      rejectedBy: new Set(),
      place: 'active',
    };
    this.#pods.set(info.uid, pod);
    this.#admit(pod, 'active', 'UnschedulablePodAdd');
  }

  /** Updates a pod; `events` describe the change, for pods that are resting. */
  update(after: Pod, events: readonly ClusterEvent[]): void {
    const uid = after.metadata?.uid ?? '';
    const pod = this.#pods.get(uid);
    if (pod === undefined) return this.add(podInfo(after));
    const info = updatedPodInfo(pod.info, after);
    if (pod.place === 'active' || pod.place === 'backoff' || pod.place === 'errorBackoff') {
      const { place } = pod;
      this.#takeOut(pod);
      pod.info = info;
      return this.#put(pod, place);
    }
    pod.info = info;
    if (pod.place === 'gated') return this.#admit(pod, this.#placeAfterRest(pod), 'UnschedulablePodUpdate');
    if (pod.place !== 'resting') return;
    const helpful = events.find((event) => this.#policy.isWorthRetry(info, pod.rejectedBy, event));
    if (helpful !== undefined) this.#wake(pod, eventLabel(helpful));
  }

  delete(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#takeOut(pod);
    this.#pods.delete(uid);
  }

  /** Returns the next pod to try; if nothing is active, one whose back-off is not over (except after errors). */
  pop(): QueuedPod | undefined {
    this.#releaseErrors();
    let pod = this.#active.pop();
    if (pod === undefined) {
      pod = this.#backoff.pop();
      if (pod === undefined) return undefined;
      this.#metrics?.incoming('active', 'PopFromBackoffQ');
    }
    pod.place = 'inFlight';
    pod.poppedMs = this.#clock.now();
    if (pod.attempts === 0) pod.firstPoppedMs = pod.poppedMs;
    pod.attempts++;
    return pod;
  }

  /** Resolves when {@link pop} may return a pod, or when the signal aborts. */
  async ready(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#active.size > 0 || this.#backoff.size > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const go = () => resolve();
    this.#waiting = go;
    signal.addEventListener('abort', go, { once: true });
    await promise;
    signal.removeEventListener('abort', go);
    this.#waiting = undefined;
  }

  /** Removes a pod that was placed. */
  done(uid: string): void {
    if (this.#pods.get(uid)?.place === 'inFlight') this.#pods.delete(uid);
  }

  /** Plugins refused the pod: it rests until something relevant to one of them changes. */
  putRefused(pod: QueuedPod, rejectedBy: ReadonlySet<string>): void {
    if (!this.#pods.has(pod.uid)) return;
    pod.rejectedBy = rejectedBy;
    pod.refusals++;
    pod.errors = 0;
    this.#startBackoff(pod, pod.refusals);
    this.#put(pod, 'resting');
    this.#metrics?.incoming('unschedulable', 'ScheduleAttemptFailure');
  }

  /** The attempt failed for reasons unrelated to the pod: it is retried after its back-off. */
  putFailed(pod: QueuedPod): void {
    this.#pods.set(pod.uid, pod);
    pod.rejectedBy = new Set();
    pod.errors++;
    this.#startBackoff(pod, pod.errors);
    this.#put(pod, 'errorBackoff');
    this.#metrics?.incoming('backoff', 'ScheduleAttemptFailure');
  }

  /** Wakes the resting pods that the event may help; `except` is the uid of a pod that it cannot. */
  onEvent(event: ClusterEvent, except?: string): void {
    if (this.#resting.size === 0) return;
    const observer = scopeOf(this.#observer, () => this.#eventUndertaking(event));
    runStep(observer, here`queueing-hints`, () => {
      for (const pod of this.#resting.values()) {
        if (pod.uid !== except && this.#policy.isWorthRetry(pod.info, pod.rejectedBy, event, observer))
          this.#wake(pod, eventLabel(event));
      }
    });
  }

  #eventUndertaking(event: ClusterEvent): Undertaking {
    const name = eventLabel(event);
    const cause = this.#observer?.causeOf?.(name);
    return { kind: 'reconcile', component: 'kube-scheduler', name, ...(cause && { causes: [cause] }) };
  }

  /** Checks again whether a gated pod may enter. */
  reconsider(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod?.place === 'gated') this.#admit(pod, this.#placeAfterRest(pod), 'ForceActivate');
  }

  /** Like {@link reconsider}, for all gated pods for which `concerns` returns true. */
  reconsiderAll(concerns: (pod: PodInfo) => boolean): void {
    for (const pod of this.#pods.values())
      if (pod.place === 'gated' && concerns(pod.info))
        this.#admit(pod, this.#placeAfterRest(pod), 'ResourceClaimUpdate');
  }

  get hasResting(): boolean {
    return this.#resting.size > 0;
  }

  close(): void {
    this.#backoffTimer?.timer.cancel();
    this.#restingTimer?.cancel();
    this.#waiting?.();
  }

  /** @param event the event that wakes it, for the metrics */
  #wake(pod: QueuedPod, event: string): void {
    this.#takeOut(pod);
    this.#admit(pod, this.#placeAfterRest(pod), event);
  }

  #placeAfterRest = (pod: QueuedPod): QueuePlace =>
    pod.backoffUntilMs >= windowOf(this.#clock.now()) ? 'backoff' : 'active';

  #admit(pod: QueuedPod, place: QueuePlace, event: string): void {
    const refusedBy = this.#policy.refusedAtGate(pod.info);
    if (refusedBy !== undefined) {
      if (pod.place !== 'gated') this.#metrics?.incoming('unschedulable', event);
      pod.rejectedBy = new Set([refusedBy]);
      return this.#put(pod, 'gated');
    }
    pod.queuedMs = this.#clock.now();
    this.#put(pod, place);
    this.#metrics?.incoming(place, event);
  }

  #put(pod: QueuedPod, place: QueuePlace): void {
    pod.place = place;
    if (place !== 'resting' && place !== 'gated') this.#causes?.note(pod.info.key);
    if (place === 'active') this.#active.push(pod);
    else if (place === 'backoff') this.#backoff.push(pod);
    else if (place === 'errorBackoff') this.#errorBackoff.push(pod);
    else if (place === 'resting') this.#rest(pod);
    if (place === 'active' || place === 'backoff') this.#waiting?.();
    if (place === 'errorBackoff') this.#awaitBackoff();
  }

  #takeOut(pod: QueuedPod): void {
    this.#active.delete(pod.uid);
    this.#backoff.delete(pod.uid);
    this.#errorBackoff.delete(pod.uid);
    this.#resting.delete(pod.uid);
  }

  #startBackoff(pod: QueuedPod, count: number): void {
    const { backoffMsInitial, backoffMsMax } = this.#times;
    pod.backoffUntilMs = windowOf(
      this.#clock.now() + Math.min(backoffMsMax, backoffMsInitial * 2 ** (count - 1)),
    );
  }

  #rest(pod: QueuedPod): void {
    pod.restingSinceMs = this.#clock.now();
    this.#resting.set(pod.uid, pod);
    this.#restingTimer ??= this.#clock.after(restingCheckMs, () => this.#wakeLongResting(), { idle: true });
  }

  #wakeLongResting(): void {
    this.#restingTimer = undefined;
    const before = this.#clock.now() - this.#times.restingMsMax;
    for (const pod of this.#resting.values())
      if (pod.restingSinceMs <= before) this.#wake(pod, 'UnschedulableTimeout');
    if (this.#resting.size > 0) {
      this.#restingTimer = this.#clock.after(restingCheckMs, () => this.#wakeLongResting(), { idle: true });
    }
  }

  #releaseErrors(): void {
    const window = windowOf(this.#clock.now());
    for (
      let pod = this.#errorBackoff.peek();
      pod !== undefined && pod.backoffUntilMs < window;
      pod = this.#errorBackoff.peek()
    ) {
      this.#errorBackoff.pop();
      this.#admit(pod, 'active', 'BackoffComplete');
    }
  }

  #awaitBackoff(): void {
    const next = this.#errorBackoff.peek();
    if (next === undefined) return;
    // The second in which it ends must be over.
    const dueMs = next.backoffUntilMs + backoffWindowMs;
    if (this.#backoffTimer !== undefined && this.#backoffTimer.dueMs <= dueMs) return;
    this.#backoffTimer?.timer.cancel();
    const release = () => {
      this.#backoffTimer = undefined;
      this.#releaseErrors();
      this.#awaitBackoff();
    };
    const timer = this.#clock.after(dueMs - this.#clock.now(), release);
    this.#backoffTimer = { timer, dueMs };
  }
}

const windowOf = (timeMs: number): number => timeMs - (timeMs % backoffWindowMs);

const keyOf = (pod: QueuedPod): string => pod.uid;
