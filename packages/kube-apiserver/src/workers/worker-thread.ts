/** One thread that serves large requests, from its start to its end after an idle time. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Clock, GroupResource, Timer } from '@coxswain/apimachinery';
import type { PostedAnswer } from '@coxswain/apiserver/posted-request.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import { serveStorage } from '@coxswain/storage/port/serve-storage.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { countAgain } from './counted-elsewhere.ts';
import { CallsOfThread } from './posted-calls.ts';
import type { FromWorker, Job, ToWorker, WorkerData } from './request-messages.ts';
import type { WorkerSettings } from '../settings.ts';

export interface WorkerThreadOptions {
  readonly settings: WorkerSettings;
  readonly storageFor: (resource: GroupResource) => Storage;
  readonly storedForm: StoredForm;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Whether this thread calls the webhooks that have a Service, with {@link webhookCaller}. */
  readonly callsWebhooks?: boolean | undefined;
  readonly webhookCaller: () => WebhookCaller;
  /** The metrics of admission in the thread. */
  readonly metrics: Metrics;
}

/** A job and its caller. */
export interface GivenJob {
  readonly job: Job;
  readonly signal: AbortSignal;
  resolve(result: PostedAnswer | Uint8Array): void;
  reject(failure: Error): void;
}

export interface ThreadEvents {
  onDone(): void;
  /** @param wasReady whether it ever began to work */
  onEnd(wasReady: boolean): void;
}

const idleMs = 60_000;

/** The maximum heap of a thread; beyond it the thread ends, and the server continues. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

export class WorkerThread {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, GivenJob & { readonly abandon: () => void }>();
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #metrics: Metrics;
  readonly #events: ThreadEvents;
  readonly #calls = new CallsOfThread((message) => this.#post(message));
  readonly #webhookCaller: () => WebhookCaller;
  #lastId = 0;
  #isReady = false;
  #idle: Timer | undefined;

  constructor(
    { settings, storedForm, storageFor, clock, log, metrics, ...calls }: WorkerThreadOptions,
    events: ThreadEvents,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#metrics = metrics;
    this.#webhookCaller = calls.webhookCaller;
    this.#events = events;
    const { port1, port2 } = new MessageChannel();
    const closeStorage = serveStorage(port1, storageFor);
    const callsThroughMain = calls.callsWebhooks === true;
    const workerData: WorkerData = { settings, storedForm, storage: port2, callsThroughMain };
    this.#worker = new Worker(entry(), {
      workerData,
      transferList: [port2],
      name: 'large requests',
      resourceLimits,
    });
    this.#worker.unref();
    port1.unref();
    this.#worker.on('message', (message: FromWorker) => this.#take(message));
    this.#worker.on('error', (failure) => log(`a thread for large requests has ended: ${String(failure)}`));
    this.#worker.on('exit', () => {
      closeStorage();
      this.#calls.close();
      port1.close();
      this.#idle?.cancel();
      for (const { reject } of this.#jobs.values()) reject(new Error('its thread has ended'));
      this.#jobs.clear();
      events.onEnd(this.#isReady);
    });
  }

  get jobs(): number {
    return this.#jobs.size;
  }

  work(given: GivenJob): void {
    this.#idle?.cancel();
    const id = ++this.#lastId;
    const { job, signal } = given;
    const abandon = () => this.#post({ kind: 'abandon', id });
    this.#jobs.set(id, { ...given, abandon });
    signal.addEventListener('abort', abandon, { once: true });
    const { buffer } = job.kind === 'serve' ? job.request.body : job.json;
    this.#post({ kind: 'job', id, job }, [buffer as ArrayBuffer]);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #take(message: FromWorker): void {
    if (message.kind === 'log') return this.#log(message.line);
    if (message.kind === 'counted') return countAgain(this.#metrics, message.counted);
    if (message.kind === 'call' || message.kind === 'hang-up')
      return this.#calls.take(message, this.#webhookCaller());
    if (message.kind === 'ready') {
      this.#isReady = true;
      return;
    }
    const waiting = this.#jobs.get(message.id);
    this.#jobs.delete(message.id);
    waiting?.signal.removeEventListener('abort', waiting.abandon);
    if (message.kind === 'done') waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.message));
    if (this.#jobs.size === 0)
      this.#idle = this.#clock.after(idleMs, () => detach(this.stop()), { idle: true });
    this.#events.onDone();
  }
}

/** Next to the bundle, or in the source. */
function entry(): string {
  const places = ['request-worker.mjs', 'worker.ts'].map((place) => path.join(import.meta.dirname, place));
  return places.find((place) => existsSync(place))!;
}
