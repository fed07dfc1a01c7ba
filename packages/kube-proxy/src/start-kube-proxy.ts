import { runStep, systemClock, systemRandom } from '@coxswain/apimachinery';
import type { Clock, KubeObject, Random, StepObserver, Timer } from '@coxswain/apimachinery';
import { InformerFactory } from '@coxswain/client';
import type { KubeClient } from '@coxswain/client';
import { planServices } from './model/plan-services.ts';
import type { EndpointSliceObject, ServiceObject } from './model/plan-services.ts';
import type { RuleWriter } from './rule-writer.ts';

/** Rules are written at most this often; what changes in between is written together. */
export const syncPeriodMinMs = 1_000;
/** A write that failed is tried again after this. */
const retryMs = 30_000;

export interface StartKubeProxyOptions {
  readonly client: KubeClient;
  /** The rules are for this node. */
  readonly nodeName: string;
  readonly writer: RuleWriter;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by whoever made it; own ones when absent. */
  readonly informers?: InformerFactory;
  readonly onError?: (error: unknown) => void;
}

export interface RunningKubeProxy {
  /** Resolves when the first rules were written. */
  readonly synced: Promise<void>;
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
}

const services = { group: '', version: 'v1', resource: 'services' } as const;
const endpointSlices = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' } as const;
const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const zoneLabel = 'topology.kubernetes.io/zone';

/** Keeps a node's rules in step with services and endpoint slices. */
export function startKubeProxy(options: StartKubeProxyOptions): RunningKubeProxy {
  const { client, signal, observer, nodeName, writer } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const factory = options.informers ?? new InformerFactory({ client, clock, random, observer, onError });
  const serviceInformer = factory.informer<ServiceObject>(services);
  const sliceInformer = factory.informer<EndpointSliceObject>(endpointSlices);
  const nodeInformer = factory.informer<KubeObject>(nodes);
  const write = () =>
    runStep(observer, 'kube-proxy/sync', async () => {
      const zone = nodeInformer.lister.get(nodeName)?.metadata.labels?.[zoneLabel];
      const node = { name: nodeName, zone };
      await writer.write(planServices(serviceInformer.lister.list(), sliceInformer.lister.list(), node));
    });
  const sync = new PacedSync(write, clock, signal, onError);
  const changed = () => sync.request();
  for (const informer of [serviceInformer, sliceInformer]) {
    informer.addHandler({ added: changed, updated: changed, deleted: changed });
  }
  if (options.informers === undefined) factory.start(signal);
  const filled = Promise.all([serviceInformer.synced, sliceInformer.synced, nodeInformer.synced]);
  const synced = filled.then(() => sync.open());
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const informersStopped = options.informers === undefined ? factory.stopped() : undefined;
  return { synced, stopped: Promise.all([aborted, informersStopped]).then(() => sync.settled()) };
}

/** Runs a job when asked, but not too often, and never twice at a time. */
class PacedSync {
  readonly #job: () => Promise<void>;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;
  #isOpen = false;
  #isWanted = false;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;

  constructor(
    job: () => Promise<void>,
    clock: Clock,
    signal: AbortSignal,
    onError: (error: unknown) => void,
  ) {
    this.#job = job;
    this.#clock = clock;
    this.#signal = signal;
    this.#onError = onError;
  }

  /** Requests before this wait for it. */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#start();
    await this.#running;
  }

  request(): void {
    this.#isWanted = true;
    if (this.#isOpen && this.#timer === undefined && this.#running === undefined) this.#start();
  }

  async settled(): Promise<void> {
    this.#timer?.cancel();
    await this.#running;
  }

  #start(): void {
    if (this.#signal.aborted) return;
    this.#isWanted = false;
    this.#running = this.#job().then(
      () => this.#rest(syncPeriodMinMs),
      (error: unknown) => {
        this.#onError(error);
        this.#isWanted = true;
        this.#rest(retryMs);
      },
    );
  }

  #rest(ms: number): void {
    this.#running = undefined;
    if (this.#signal.aborted) return;
    this.#timer = this.#clock.after(
      ms,
      () => {
        this.#timer = undefined;
        if (this.#isWanted) this.#start();
      },
      { idle: true },
    );
  }
}
