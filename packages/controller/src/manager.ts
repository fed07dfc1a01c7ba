/** Runs the parts of a program (controllers, webhooks and others) with one connection and one cache. */

import {
  aborted,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import {
  EventBroadcaster,
  runLeaderElection,
  type EventRecorder,
  type KubeClient,
  type LeaderElectionOptions,
} from '@coxswain/client';
import { Cache, type CacheOptions } from './cache.ts';
import { HealthChecks } from './health-checks.ts';

/** What the parts of a program share. */
export interface ManagerOptions {
  readonly client: KubeClient;
  /** Restricts what is read into the cache. Defaults to all objects of the requested kinds. */
  readonly cache?: CacheOptions;
  /** Enables leader election: one of several instances is active. Without it, this instance always is. */
  readonly leaderElection?: Omit<
    LeaderElectionOptions,
    'client' | 'signal' | 'lead' | 'clock' | 'random' | 'onError'
  >;
  /** The registry for metrics. Without it, there are none. */
  readonly metrics?: Metrics;
  /** Receives failures of reconciles, lists and watches, for logging. They are retried. */
  readonly onError?: (error: unknown, part: string, key?: string) => void;
  /** How long to wait for parts to stop. Defaults to {@link gracefulShutdownDefaultMs}. */
  readonly gracefulShutdownMs?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver;
}

/** Options of another cluster. */
export interface ClusterOptions {
  /** The name used in errors. Unique within a manager. */
  readonly name: string;
  readonly client: KubeClient;
  readonly cache?: CacheOptions;
}

/** A cluster in addition to that of the manager. */
export interface OtherCluster {
  readonly name: string;
  readonly client: KubeClient;
  readonly cache: Cache;
}

/**
 * A part of a program.
 * @example
 * const ticker: Runnable = {
 *   name: 'ticker',
 *   needsLeaderElection: true,
 *   prepare: (manager) => void manager.cache.of(Widget),
 *   async start(manager, signal) {
 *     while (!signal.aborted) {
 *       console.log(manager.cache.of(Widget).list().length);
 *       await manager.clock.sleep(60_000, signal).catch(() => undefined);
 *     }
 *   },
 * };
 * manager.add(ticker);
 */
export interface Runnable {
  readonly name: string;
  /** Whether the part runs only while this instance is the leader. */
  readonly needsLeaderElection?: boolean;
  /** Called before the caches are filled, to request the kinds that it reads. */
  prepare?(manager: Manager): void;
  /** Runs until the signal is aborted. A rejection ends the manager. */
  start(manager: Manager, signal: AbortSignal): Promise<void>;
}

/** How long a manager waits for its parts to stop. */
export const gracefulShutdownDefaultMs = 30_000;

/**
 * Runs the parts of a program with one client and one cache. Create it with {@link createManager}.
 * @example
 * const manager = createManager({ client, onError: (error, part, key) => console.error(part, key, error) });
 * const hub = manager.addCluster({ name: 'hub', client: hubClient });
 * const recorder = manager.recorder('shop-operator');
 * manager.add(controller({ name: 'scaler', for: Widget, watches: [watch(Secret, (secret) => [requestFor(secret)], [], hub)], reconcile: () => undefined }));
 * manager.add({ name: 'greeting', async start(running) { running.onError(new Error('just a test'), 'greeting'); } });
 * await manager.start(signal);
 */
export class Manager {
  readonly client: KubeClient;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly metrics: Metrics | undefined;
  readonly observer: StepObserver | undefined;
  /** Liveness and readiness checks. */
  readonly healthChecks = new HealthChecks();
  readonly readyChecks = new HealthChecks();
  readonly #options: ManagerOptions;
  readonly #random: Random;
  readonly #runnables: Runnable[] = [];
  readonly #others: OtherCluster[] = [];
  readonly #events: EventBroadcaster;
  readonly #stopping = new AbortController();
  readonly #elected = Promise.withResolvers<void>();
  #isStarted = false;

  constructor(options: ManagerOptions) {
    const { client, clock = systemClock, random = systemRandom, observer, metrics } = options;
    this.#options = options;
    this.#random = random;
    this.client = client;
    this.clock = clock;
    this.metrics = metrics;
    this.observer = observer;
    this.cache = this.#cacheOf(client, options.cache);
    this.#events = new EventBroadcaster({
      client,
      clock,
      random,
      signal: this.#stopping.signal,
      onError: (error) => this.onError(error, 'events'),
    });
    this.readyChecks.add('informers', () => {
      if (!this.#caches.every(({ hasSynced }) => hasSynced)) throw new Error('the caches are not filled yet');
    });
  }

  /** Resolves when this instance becomes the leader; without leader election, when it starts. */
  get elected(): Promise<void> {
    return this.#elected.promise;
  }

  /**
   * Adds a part, and returns the manager.
   * @throws Error if the manager is already running, or the name is taken
   */
  add(runnable: Runnable): this {
    if (this.#isStarted) throw new Error('the manager is already running');
    if (this.#runnables.some(({ name }) => name === runnable.name))
      throw new Error(`part "${runnable.name}" already exists`);
    this.#runnables.push(runnable);
    return this;
  }

  /**
   * Adds another cluster, whose objects can trigger controllers: `watch(Secret, requests, [], cluster)`. Its cache is
   * filled and stopped with that of the manager.
   * @param options the cluster, and what to cache of it
   * @throws Error if the manager is already running, or the name is taken
   */
  addCluster({ name, client, cache }: ClusterOptions): OtherCluster {
    if (this.#isStarted) throw new Error('the manager is already running');
    if (this.#others.some((other) => other.name === name))
      throw new Error(`cluster "${name}" already exists`);
    const other = { name, client, cache: this.#cacheOf(client, cache, ` in ${name}`) };
    this.#others.push(other);
    return other;
  }

  get #caches(): readonly Cache[] {
    return [this.cache, ...this.#others.map(({ cache }) => cache)];
  }

  #cacheOf(client: KubeClient, options: CacheOptions | undefined, where = ''): Cache {
    const { clock, observer } = this;
    const onError = (error: unknown, { resource }: { readonly resource: string }) =>
      this.onError(error, `informer of ${resource}${where}`);
    return new Cache({ client, clock, observer, random: this.#random, onError }, options);
  }

  /** Returns a recorder that records events under this name in the background. */
  recorder(component: string): EventRecorder {
    return this.#events.recorder(component);
  }

  /** Passes a failure on to `onError` of the options, unless the manager is stopping. */
  onError(error: unknown, part: string, key?: string): void {
    if (!this.#stopping.signal.aborted) this.#options.onError?.(error, part, key);
  }

  /**
   * Runs all parts until the signal is aborted, and resolves when they have stopped: running reconciles are awaited,
   * and the lease is released.
   * @throws the error of a part, or an Error if leadership was lost or a part does not stop in time
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error('the manager is already running');
    this.#isStarted = true;
    const stopping = this.#stopping;
    const stop = () => stopping.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await this.#run(stopping.signal);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (const runnable of this.#runnables) runnable.prepare?.(this);
    for (const cache of this.#caches) cache.start(signal);
    const parts = [
      ...this.#runnables
        .filter(({ needsLeaderElection }) => needsLeaderElection !== true)
        .map((one) => one.start(this, signal)),
      this.#lead(signal),
    ];
    const stopAll = (failure: unknown) => {
      this.#stopping.abort(failure);
      throw failure;
    };
    const ended = Promise.all(parts.map((part) => part.catch(stopAll)));
    ended.catch(() => undefined);
    await aborted(signal);
    await this.#inTime(
      Promise.all([Promise.allSettled(parts), ...this.#caches.map((cache) => cache.stopped())]),
    );
    await ended;
  }

  async #lead(signal: AbortSignal): Promise<void> {
    await Promise.race([Promise.all(this.#caches.map((cache) => cache.synced())), aborted(signal)]);
    const leaders = this.#runnables.filter(({ needsLeaderElection }) => needsLeaderElection === true);
    const lead = async (leading: AbortSignal): Promise<void> => {
      if (leading.aborted) return;
      this.#elected.resolve();
      await Promise.all([...leaders.map((one) => one.start(this, leading)), aborted(leading)]);
      await this.#events.flushed();
    };
    const { leaderElection } = this.#options;
    if (leaderElection === undefined) return lead(signal);
    await runLeaderElection({
      releaseOnCancel: true,
      ...leaderElection,
      client: this.client,
      clock: this.clock,
      random: this.#random,
      signal,
      lead,
      onError: (error) => this.onError(error, 'leader election'),
    });
  }

  async #inTime(all: Promise<unknown>): Promise<void> {
    const { gracefulShutdownMs = gracefulShutdownDefaultMs } = this.#options;
    const late = Promise.withResolvers<never>();
    const timer = this.clock.after(gracefulShutdownMs, () =>
      late.reject(new Error(`not all parts stopped within ${gracefulShutdownMs / 1000} s`)),
    );
    try {
      await Promise.race([all, late.promise]);
    } finally {
      timer.cancel();
    }
  }
}

/**
 * Creates a manager. Nothing happens before {@link Manager.start}.
 * @example
 * const stopping = new AbortController();
 * for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort());
 * await createManager({
 *   client,
 *   cache: { namespace: 'shop' },
 *   leaderElection: { namespace: 'shop', name: 'shop-operator', identity: crypto.randomUUID() },
 *   onError: console.error,
 * })
 *   .add(scaler)
 *   .start(stopping.signal);
 */
export const createManager = (options: ManagerOptions): Manager => new Manager(options);
