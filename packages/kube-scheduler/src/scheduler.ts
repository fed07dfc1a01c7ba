import { detach } from '@coxswain/apimachinery/detach.ts';
import { runStep, scopeOf, type Clock, type Random, type StepObserver } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isTerminating, type PodInfo } from './cache/pod-info.ts';
import { SchedulerCache } from './cache/scheduler-cache.ts';
import type { NodeInfo } from './cache/node-info.ts';
import { ChangeGate } from './change-gate.ts';
import { ClusterView } from './cluster-view.ts';
import { extenderPluginName, type Extender } from './framework/extender.ts';
import { ExtenderList } from './framework/extender-list.ts';
import { diagnosisText } from './framework/diagnosis.ts';
import { Attempt } from './attempt.ts';
import { EventHandlers, placedOn } from './event-handlers.ts';
import { SchedulingReports } from './scheduling-reports.ts';
import type { Cluster, ClusterObjects } from './framework/cluster.ts';
import { isOfConcern, isWorthRetry, type ClusterEvent } from './framework/cluster-event.ts';
import { andThen, type MaybePromise } from './framework/maybe-promise.ts';
import type { PostFilterResult } from './framework/plugin.ts';
import { compareIn, pluginsOf, type Profile, type UntypedPlugin } from './framework/profile.ts';
import type { SchedulerApi } from './framework/scheduler-api.ts';
import type { AttemptResult } from './metrics/profile-metrics.ts';
import type { SchedulerMetrics } from './metrics/scheduler-metrics.ts';
import { statusOf, timedProfile } from './metrics/timed-profile.ts';
import { NodeSearch, type SearchResult } from './node-search.ts';
import { Nominator } from './queue/nominator.ts';
import type { QueueTimes } from './queue/queue-times.ts';
import type { QueuedPod } from './framework/queued-pod.ts';
import { SchedulingQueue } from './queue/scheduling-queue.ts';

/**
 * The maximum number of concurrent bindings; beyond it the loop waits, which also lets other work in the process run.
 */
const bindingsInFlightMax = 64;
/** One in this many attempts measures how long each plugin takes. */
const attemptsPerSample = 10;

export interface SchedulerOptions {
  readonly api: SchedulerApi;
  readonly objects: ClusterObjects;
  readonly profiles: readonly Profile[];
  readonly clock: Clock;
  readonly random: Random;
  /** Scheduler extenders. */
  readonly extenders?: readonly Extender[] | undefined;
  /** How long pods wait. Defaults to the standard times. */
  readonly times?: QueueTimes | undefined;
  /** Defaults to the gates that are enabled by default. */
  readonly isFeatureOn?: ((gate: string) => boolean) | undefined;
  readonly observer?: StepObserver | undefined;
  /** If undefined, nothing is counted. */
  readonly metrics?: SchedulerMetrics | undefined;
  /** Receives failures that no pod's status reports. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Assigns nodes to pods. It is notified of all changes through `…Changed`, acts through its {@link SchedulerApi}, and
 * schedules one pod after the other in {@link run}: choosing a node is synchronous, binding continues in the
 * background.
 */
export class Scheduler {
  readonly cache = new SchedulerCache();
  readonly queue: SchedulingQueue;
  readonly #options: SchedulerOptions;
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #plugins: ReadonlyMap<string, ReadonlyMap<string, UntypedPlugin>>;
  readonly #timedProfiles = new Map<string, Profile>();
  readonly #nominator = new Nominator();
  readonly #search: NodeSearch;
  readonly #handlers: EventHandlers;
  readonly #reports: SchedulingReports;
  readonly #stopping = new AbortController();
  /** Closed while extenders are called, so that the attempt's findings remain valid until they answer. */
  readonly #changes = new ChangeGate();
  readonly #extenders: ExtenderList | undefined;
  #bindings = 0;
  #attemptsUntilSample = 0;
  #bindingEnded: (() => void) | undefined;
  readonly #cluster: Cluster;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#profiles = new Map(options.profiles.map((profile) => [profile.schedulerName, profile]));
    this.#plugins = new Map(options.profiles.map((profile) => [profile.schedulerName, pluginsOf(profile)]));
    const { api, objects, clock, random, extenders = [] } = options;
    const passedOver = ({ extender, error }: { readonly extender: string; readonly error: Error }) =>
      options.onError?.(new Error(`extender ${extender} is passed over: ${error.message}`, { cause: error }));
    this.#extenders = extenders.length === 0 ? undefined : new ExtenderList(extenders, passedOver);
    this.#reports = new SchedulingReports(api, this.#nominator, options.onError);
    this.#cluster = new ClusterView({
      cache: this.cache,
      nominator: this.#nominator,
      api,
      objects,
      clock,
      random,
      isFeatureOn: options.isFeatureOn ?? featureGates([]).enabled,
      extenders: this.#extenders,
      track: (work) => this.#reports.track(work),
      released: (uid) => this.queue.reconsider(uid),
    });
    this.#search = new NodeSearch(options.random);
    this.queue = new SchedulingQueue(
      {
        compare: (a, b) => compareIn(this.#profileOf(a.info.pod)!, a, b),
        refusedAtGate: (pod) => this.#refusedAtGate(pod),
        isWorthRetry: (pod, rejectedBy, event, observer) =>
          this.#isWorthRetry(pod, rejectedBy, event, observer),
      },
      options.clock,
      options.metrics,
      options.times,
      options.observer,
    );
    this.#handlers = new EventHandlers({
      cache: this.cache,
      queue: this.queue,
      nominator: this.#nominator,
      isResponsibleFor: (pod) => this.#profileOf(pod) !== undefined,
    });
    this.#describe(options);
  }

  #describe({ metrics, profiles, clock }: SchedulerOptions): void {
    if (metrics === undefined) return;
    for (const profile of profiles) {
      const timed = timedProfile(profile, metrics.profile(profile.schedulerName)!, clock);
      this.#timedProfiles.set(profile.schedulerName, timed);
    }
    const size = (type: string, read: () => number) =>
      metrics.reading('cache_size', 'What the scheduler holds of the cluster.', { type }, read);
    size('nodes', () => this.cache.nodes.length);
    size('pods', () => this.cache.podCount);
    size('assumed_pods', () => this.cache.assumedCount);
    metrics.unschedulable(() => this.queue.refusals());
  }

  /** The view for plugins. */
  get cluster(): Cluster {
    return this.#cluster;
  }

  /** Applies a change to the scheduler's state: at once, or when extenders have answered. */
  apply(change: () => void): void {
    this.#changes.pass(change);
  }

  nodeChanged(before: Node | undefined, after: Node | undefined): void {
    this.apply(() => this.#handlers.nodeChanged(before, after));
  }

  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    this.apply(() => this.#handlers.podChanged(before, after));
  }

  /** Handles a change of an object other than nodes and pods. */
  otherChanged(event: ClusterEvent): void {
    this.apply(() => this.#handlers.otherChanged(event));
  }

  /** Schedules until the signal aborts, then waits for pending calls. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => {
      this.#stopping.abort(signal.reason);
      detach(this.#extenders?.close());
    };
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      if (this.#bindings >= bindingsInFlightMax)
        await new Promise<void>((resolve) => (this.#bindingEnded = resolve));
      else if (!this.scheduleNext()) await (this.#changes.work ?? this.queue.ready(signal));
    }
    this.queue.close();
    this.cache.close();
    await this.settled();
  }

  /** Tries the next pod, if there is one and no other is being tried. */
  scheduleNext(): boolean {
    if (this.#changes.work !== undefined) return false;
    const queued = this.queue.pop();
    if (queued === undefined) return false;
    const { pod } = queued.info;
    const profile = this.#profileOf(pod);
    if (profile === undefined || this.cache.isAssumed(queued.uid)) this.queue.done(queued.uid);
    else if (isTerminating(pod)) {
      this.queue.done(queued.uid);
      this.#reports.failedEvent(pod, `skip schedule deleting pod: ${queued.info.key}`);
    } else {
      const observer = scopeOf(this.#options.observer, () => ({
        kind: 'schedule',
        component: 'kube-scheduler',
        name: queued.info.key,
        causes: this.queue.causesOf(queued),
      }));
      const attempt = runStep(
        observer,
        'schedule',
        () => this.#scheduleOne(queued, profile, observer),
        undefined,
        this.#scheduleOne,
      );
      if (attempt instanceof Promise) {
        this.#changes.closeFor(attempt);
        this.#reports.track(this.#changes.work!);
      }
    }
    return true;
  }

  /** Resolves when no pod is being tried: at once, unless extenders are being called. */
  async idle(): Promise<void> {
    await this.#changes.work;
  }

  /** Resolves when no call is pending. */
  async settled(): Promise<void> {
    await this.#reports.settled();
  }

  #scheduleOne(queued: QueuedPod, profile: Profile, observer: StepObserver | undefined): MaybePromise<void> {
    const metrics = this.#options.metrics?.profile(profile.schedulerName);
    const attempt = new Attempt(
      queued.info,
      this.#sampled(profile),
      this.#cluster,
      observer,
      undefined,
      metrics,
    );
    if (this.#cluster.nodes.length === 0)
      return this.#failed(queued, 'no nodes available to schedule pods', 'Unschedulable');
    const startMs = this.#options.clock.monotonic();
    return andThen(
      () => this.#search.find(attempt, this.#cluster, observer),
      (found) => {
        this.#options.metrics?.chosen(this.#options.clock.monotonic() - startMs);
        observer?.note?.(found.kind === 'placed' ? { node: found.node.name } : { node: 'none' });
        return found.kind === 'placed'
          ? this.#place(queued, attempt, found.node)
          : this.#nowhere(queued, attempt, found, observer);
      },
      (error) => this.#failed(queued, messageOf(error), 'SchedulerError'),
    );
  }

  #nowhere(
    queued: QueuedPod,
    attempt: Attempt,
    { diagnosis, rejectedBy }: Extract<SearchResult, { kind: 'nowhere' }>,
    observer: StepObserver | undefined,
  ): MaybePromise<void> {
    const refused = (answer: PostFilterResult) => {
      if (answer.kind === 'nominated')
        observer?.note?.({ nominated: answer.nominate, victims: answer.victims ?? 0 });
      if (attempt.profile.points.postFilter.length > 0)
        this.#options.metrics?.triedPreemption(answer.kind === 'nominated' ? (answer.victims ?? 0) : 0);
      const postFilterMessage = answer.kind === 'nominated' ? '' : answer.reasons.join(', ');
      const text = diagnosisText({ ...diagnosis, postFilterMessage });
      this.#refused(queued, text, rejectedBy, nominationOf(answer));
    };
    const answer = attempt.postFilter(diagnosis.statuses, diagnosis.absentNodesStatus);
    return answer instanceof Promise ? answer.then(refused) : refused(answer);
  }

  /** Returns the profile, or now and then a copy whose plugins are timed. */
  #sampled(profile: Profile): Profile {
    const timed = this.#timedProfiles.get(profile.schedulerName);
    if (timed === undefined || this.#attemptsUntilSample-- > 0) return profile;
    this.#attemptsUntilSample = attemptsPerSample - 1;
    return timed;
  }

  /** Counts a completed attempt. */
  #count(queued: QueuedPod, result: AttemptResult): void {
    const { metrics, clock } = this.#options;
    const profile = this.#profileOf(queued.info.pod)?.schedulerName ?? '';
    metrics?.profile(profile)?.attempted(result, clock.now() - queued.poppedMs);
    if (result === 'scheduled') metrics?.placed(queued.attempts, clock.now() - queued.firstPoppedMs);
  }

  #place(queued: QueuedPod, attempt: Attempt, node: NodeInfo): void {
    const assumed = { ...queued.info };
    this.cache.assume(assumed, node.name);
    this.#nominator.delete(assumed.uid);
    const reserved = attempt.reserve(node);
    if (reserved.status.kind !== 'fits') return this.#takeBack(queued, reserved, undefined);
    const permitted = attempt.permit(node);
    if (permitted.status.kind !== 'fits')
      return this.#takeBack(queued, permitted, () => attempt.unreserve(node));
    this.#bindings++;
    this.#options.metrics?.binding(1);
    this.#reports.track(this.#bind(queued, attempt, node, permitted.waitMs));
  }

  #takeBack(
    queued: QueuedPod,
    refusal: ReturnType<Attempt['reserve']>,
    undo: (() => void) | undefined,
  ): void {
    undo?.();
    this.cache.forget(queued.uid);
    const { status, plugin } = refusal;
    const reasons = status.kind === 'fits' ? [] : status.reasons;
    if (status.kind === 'error') return this.#failed(queued, reasons.join(', '), 'SchedulerError');
    const text = `0/1 nodes are available: ${reasons.map((reason) => `1 ${reason}`).join(', ')}.`;
    this.#refused(queued, text, new Set(plugin === undefined ? [] : [plugin]), '');
  }

  async #bind(queued: QueuedPod, attempt: Attempt, node: NodeInfo, waitMs: number): Promise<void> {
    try {
      // A write of why the pod was unschedulable must not overwrite its binding status.
      await this.#reports.pendingRefusal(queued.uid);
      // Lets others, such as an autoscaler, see where the pod is about to go.
      if (waitMs > 0 || attempt.hasWorkBeforeBinding(node)) {
        await this.#options.api.patchPodStatus(queued.info.pod, { nominatedNodeName: node.name });
      }
      if (waitMs > 0) {
        const startMs = this.#options.clock.monotonic();
        await this.#options.clock.sleep(waitMs, this.#stopping.signal);
        const waitedMs = this.#options.clock.monotonic() - startMs;
        this.#options.metrics?.waitedForPermit(statusOf(undefined), waitedMs);
      }
      await attempt.bind(node, this.#stopping.signal);
      this.#count(queued, 'scheduled');
      this.queue.done(queued.uid);
      const { namespace, name, pod } = queued.info;
      this.#reports.event(
        pod,
        'Normal',
        'Scheduled',
        'Binding',
        `Successfully assigned ${namespace}/${name} to ${node.name}`,
      );
    } catch (error) {
      this.apply(() => this.#notBound(queued, attempt, node, error));
    } finally {
      this.#bindings--;
      this.#options.metrics?.binding(-1);
      this.#bindingEnded?.();
    }
  }

  #notBound(queued: QueuedPod, attempt: Attempt, node: NodeInfo, error: unknown): void {
    attempt.unreserve(node);
    const wasAssumed = this.cache.isAssumed(queued.uid);
    this.cache.forget(queued.uid);
    if (this.#stopping.signal.aborted) return;
    if (wasAssumed)
      this.queue.onEvent({ resource: 'Pod', action: 'delete', before: placedOn(queued.info.pod, node.name) });
    this.#failed(queued, messageOf(error), 'SchedulerError');
  }

  /** Plugins refused the pod: it rests until an event that helps. */
  #refused(
    queued: QueuedPod,
    message: string,
    rejectedBy: ReadonlySet<string>,
    nomination: string | undefined,
  ): void {
    this.#count(queued, 'unschedulable');
    this.queue.putRefused(queued, rejectedBy);
    this.#reports.failed(queued.info, message, 'Unschedulable', nomination);
  }

  /** No plugin refused the pod, but the attempt failed: it is retried later. */
  #failed(queued: QueuedPod, message: string, reason: string): void {
    // Errors of extenders whose calls were aborted don't count.
    if (this.#stopping.signal.aborted) return;
    this.#count(queued, reason === 'Unschedulable' ? 'unschedulable' : 'error');
    // The pod was bound or deleted in the meantime, so there is nothing to do.
    if (this.queue.infoOf(queued.uid) === undefined) return;
    this.queue.putFailed(queued);
    this.#reports.failed(queued.info, message, reason, '');
  }

  #profileOf(pod: Pod): Profile | undefined {
    return this.#profiles.get(pod.spec?.schedulerName || 'default-scheduler');
  }

  #refusedAtGate(pod: PodInfo): string | undefined {
    const { metrics, clock } = this.#options;
    const profile = this.#profileOf(pod.pod);
    const startMs = metrics === undefined ? 0 : clock.monotonic();
    const points = profile?.points.preEnqueue ?? [];
    const refusing = points.find((plugin) => plugin.preEnqueue!(pod, this.#cluster).kind !== 'fits');
    const status = refusing === undefined ? 'Success' : 'UnschedulableAndUnresolvable';
    metrics?.profile(profile?.schedulerName ?? '')?.ran('PreEnqueue', status, clock.monotonic() - startMs);
    return refusing?.name;
  }

  #isWorthRetry(
    pod: PodInfo,
    rejectedBy: ReadonlySet<string>,
    event: ClusterEvent,
    observer: StepObserver | undefined,
  ): boolean {
    if (rejectedBy.has(extenderPluginName)) return true;
    const plugins = this.#plugins.get(this.#profileOf(pod.pod)?.schedulerName ?? '');
    const { objects } = this.#options;
    for (const name of rejectedBy) {
      const retries = plugins?.get(name)?.retryWhen;
      const isWorth = isWorthRetry(retries, pod, event, objects);
      if (observer !== undefined) {
        const examined = retries?.find((retry) => isOfConcern(retry, event));
        const hint = isWorth ? 'Queue' : examined === undefined ? 'not registered for it' : 'QueueSkip';
        const reported = { pod: pod.key, hint };
        runStep(observer, `queueing-hint/${name}`, () => undefined, reported, examined?.helps);
      }
      if (isWorth) return true;
    }
    return false;
  }
}

/** Empty text removes an earlier nomination, undefined keeps it. */
function nominationOf(answer: PostFilterResult): string | undefined {
  if (answer.kind === 'nominated') return answer.nominate;
  return answer.kind === 'unschedulable' && answer.clearNomination ? '' : undefined;
}
