/** Leader election: one of several instances is active, by holding and renewing a Lease. */

import type * as coordination from '@coxswain/api/coordination/v1/index.ts';
import {
  here,
  formatMicroTime,
  isStatusError,
  runStep,
  scopeOf,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type Live,
  type StepDetail,
  type StepObserver,
} from '@coxswain/apimachinery';
import type { EventRecorder } from './events/event-recorder.ts';
import type { KubeClient } from './resource/kube-client.ts';
import type { ResourceClient } from './resource/resource-client.ts';

/** The Lease, the identity of this instance, and what the leader does. */
export interface LeaderElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
  /** Unique among the instances, such as the host name and a UID. */
  readonly identity: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly leaseDurationMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  /** Whether to release the lease at the end, so that the next leader does not have to wait. */
  readonly releaseOnCancel?: boolean;
  /** Runs while this instance is the leader; its signal is aborted when leadership is lost or the election ends. */
  lead(signal: AbortSignal): Promise<void>;
  /** Called with the identity of every new leader, which may be this instance. */
  readonly onNewLeader?: (identity: string) => void;
  /** Called when this instance becomes the leader and when it stops being the leader. */
  readonly onLeadership?: (leads: boolean) => void;
  /** Called whenever this instance is seen to hold the lease, with the current time. */
  readonly onRenewed?: () => void;
  /** Records an event about the lease when this instance becomes the leader and when it stops being the leader. */
  readonly recorder?: EventRecorder;
  /** Receives failures to acquire or renew the lease, which are retried, and errors of `lead`. */
  readonly onError?: (error: unknown) => void;
}

/** How long other instances wait for a leader that doesn't renew. */
export const leaseDurationDefaultMs = 15_000;
/** How long a leader tries to renew its lease before it stops. */
export const renewDeadlineDefaultMs = 10_000;
/** The interval between attempts to get or renew the lease. */
export const retryPeriodDefaultMs = 2_000;
/** The jitter of the retries of waiting instances. */
const jitter = 1.2;

type Lease = Live<coordination.Lease>;

/**
 * Resolves when the signal is aborted; rejects when leadership was lost.
 * @example
 * await runLeaderElection({
 *   client,
 *   namespace: 'shop',
 *   name: 'shop-operator',
 *   identity: `${process.env['HOSTNAME']}_${crypto.randomUUID()}`,
 *   signal,
 *   releaseOnCancel: true,
 *   lead: (leading) => runWorkers({ queue, workers: 1, signal: leading, reconcile }),
 * });
 */
export async function runLeaderElection(options: LeaderElectionOptions): Promise<void> {
  const election = new Election(options);
  if (!(await election.acquire())) return;
  const leading = new AbortController();
  const stop = () => leading.abort(options.signal.reason);
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  options.onLeadership?.(true);
  election.record('became leader');
  const work = options.lead(leading.signal);
  try {
    await Promise.race([election.renew(), work]);
  } finally {
    leading.abort();
    options.onLeadership?.(false);
    options.signal.removeEventListener('abort', stop);
    await work.catch((error: unknown) => options.onError?.(error));
    if (options.releaseOnCancel) await election.release();
    election.record('stopped leading');
  }
}

class Election {
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #leases: ResourceClient<Lease>;
  readonly #retryMs: number;
  #observed: Lease | undefined;
  /** By our own clock: clocks of other machines may differ. */
  #observedMs = 0;
  #reportedLeader = '';

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#leases = options.client
      .resource<Lease>('coordination.k8s.io/v1', 'leases')
      .namespace(options.namespace);
    this.#retryMs = options.retryPeriodMs ?? retryPeriodDefaultMs;
  }

  /** Returns false if it was stopped before it became the leader. */
  async acquire(): Promise<boolean> {
    while (!this.#options.signal.aborted) {
      if (await this.#tryAcquireOrRenew(this.#deadlineMs)) return true;
      await this.#pause(this.#retryMs * (1 + jitter * this.#random.next()));
    }
    return false;
  }

  /**
   * Returns when it is stopped. The deadline counts from before a renewal is sent, and unanswered requests are
   * abandoned at the deadline, after which others may acquire the lease.
   * @throws Error if the lease could not be renewed in time
   */
  async renew(): Promise<void> {
    let renewedMs = this.#clock.monotonic();
    while (!this.#options.signal.aborted) {
      await this.#pause(this.#retryMs);
      if (this.#options.signal.aborted) return;
      const askedMs = this.#clock.monotonic();
      const leftMs = renewedMs + this.#deadlineMs - askedMs;
      if (leftMs > 0 && (await this.#tryAcquireOrRenew(leftMs))) renewedMs = askedMs;
      else if (
        this.#holder !== this.#options.identity ||
        this.#clock.monotonic() - renewedMs >= this.#deadlineMs
      ) {
        throw new Error('leaderelection lost');
      }
    }
  }

  record(what: string): void {
    const { recorder, identity } = this.#options;
    if (this.#observed === undefined) return;
    const lease = { ...this.#observed, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    recorder?.event(lease, 'Normal', 'LeaderElection', `${identity} ${what}`);
  }

  async release(): Promise<void> {
    if (this.#holder !== this.#options.identity || this.#observed === undefined) return;
    const now = formatMicroTime(this.#clock.now());
    const spec = {
      ...this.#observed.spec,
      holderIdentity: '',
      leaseDurationSeconds: 1,
      renewTime: now,
      acquireTime: now,
    };
    const given = { ...this.#observed, spec };
    const update = () =>
      this.#inTime((signal) => this.#leases.update(given, { signal }), this.#deadlineMs).catch(
        (error: unknown) => this.#options.onError?.(error),
      );
    await runStep(this.#scope(), here`release-lease`, update, undefined, this.release);
  }

  #scope(): StepObserver | undefined {
    const { client, namespace, name } = this.#options;
    return scopeOf(client.rest.observer, () => ({
      kind: 'reconcile',
      component: 'leader-election',
      name: `${namespace}/${name}`,
    }));
  }

  get #deadlineMs(): number {
    return this.#options.renewDeadlineMs ?? renewDeadlineDefaultMs;
  }

  get #holder(): string {
    return this.#observed?.spec?.holderIdentity ?? '';
  }

  /** @param msMax the time after which the attempt has failed, with or without a response */
  #tryAcquireOrRenew(msMax: number): Promise<boolean> {
    return runStep(
      this.#scope(),
      here`acquire-or-renew`,
      () => this.#acquireOrRenew(msMax),
      undefined,
      this.#acquireOrRenew,
    );
  }

  async #acquireOrRenew(msMax: number): Promise<boolean> {
    try {
      return await this.#inTime((signal) => this.#attempt(signal), msMax);
    } catch (error) {
      this.#options.onError?.(error);
      return false;
    } finally {
      if (this.#holder !== '' && this.#holder !== this.#reportedLeader) {
        this.#reportedLeader = this.#holder;
        this.#options.onNewLeader?.(this.#holder);
      }
    }
  }

  /** @throws Error after this time, even if the request ignores its signal */
  async #inTime<T>(ask: (signal: AbortSignal) => Promise<T>, msMax: number): Promise<T> {
    const asking = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = this.#clock.after(msMax, () => {
      const failure = new Error(`no answer about the lease within ${msMax} ms`);
      asking.abort(failure);
      late.reject(failure);
    });
    try {
      return await Promise.race([ask(asking.signal), late.promise]);
    } finally {
      timer.cancel();
    }
  }

  async #attempt(signal: AbortSignal): Promise<boolean> {
    const { name, namespace, identity } = this.#options;
    const now = formatMicroTime(this.#clock.now());
    const leaseDurationMs = this.#options.leaseDurationMs ?? leaseDurationDefaultMs;
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.round(leaseDurationMs / 1000),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    };
    // The leader assumes that nobody else has written, and reads only when that was wrong.
    if (this.#holder === identity && this.#isFresh(leaseDurationMs)) {
      try {
        await this.#write(this.#observed!, spec, signal);
        this.#note('renewed');
        return true;
      } catch (error) {
        signal.throwIfAborted();
        this.#options.onError?.(error);
      }
    }
    const lease = await this.#read(signal);
    signal.throwIfAborted();
    if (lease === undefined) {
      const metadata = { name, namespace };
      const wanted = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
      this.#observe(await this.#leases.create(wanted, { signal }));
      this.#note('created');
      return true;
    }
    if (lease.metadata.resourceVersion !== this.#observed?.metadata.resourceVersion) this.#observe(lease);
    const holder = lease.spec?.holderIdentity ?? '';
    if (holder !== '' && holder !== identity && this.#isFresh(leaseDurationMs)) {
      const waitsMs = leaseDurationMs - (this.#clock.monotonic() - this.#observedMs);
      this.#note('held by another', { holder, waitsMs });
      return false;
    }
    await this.#write(lease, spec, signal);
    const outcome = holder === '' ? 'taken after its release' : 'taken after it expired';
    this.#note(holder === identity ? 'renewed' : outcome, { ...(holder !== identity && { before: holder }) });
    return true;
  }

  /** What became of the lease, for recordings. */
  #note(outcome: string, more: StepDetail = {}): void {
    const { identity, client } = this.#options;
    client.rest.observer?.note?.({ outcome, identity, ...more });
  }

  #isFresh(leaseDurationMs: number): boolean {
    return this.#clock.monotonic() - this.#observedMs < leaseDurationMs;
  }

  /** @throws StatusError 409 when somebody else has written the lease */
  async #write(lease: Lease, spec: Required<Lease>['spec'], signal: AbortSignal): Promise<void> {
    const { holderIdentity, acquireTime = spec.acquireTime, leaseTransitions = 0 } = lease.spec ?? {};
    const taken =
      holderIdentity === spec.holderIdentity
        ? { ...spec, acquireTime, leaseTransitions }
        : { ...spec, leaseTransitions: leaseTransitions + 1 };
    this.#observe(await this.#leases.update({ ...lease, spec: { ...lease.spec, ...taken } }, { signal }));
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#leases.get(this.#options.name, { signal });
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #observe(lease: Lease): void {
    this.#observed = lease;
    this.#observedMs = this.#clock.monotonic();
    if (this.#holder === this.#options.identity) this.#options.onRenewed?.();
  }

  async #pause(delayMs: number): Promise<void> {
    await this.#clock.sleep(delayMs, this.#options.signal).catch(() => undefined);
  }
}
