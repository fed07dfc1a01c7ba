/**
 * Threads that serve large requests besides the main one. A thread starts when it is first needed and ends after an
 * idle time: a server without large requests has none.
 */
import { internalError, serviceUnavailable, tooManyRequests } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { answerFromPost, requestToPost, type PostedAnswer } from '@coxswain/apiserver/posted-request.ts';
import { ownBytes } from '@coxswain/storage/port/port.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { FairQueue, type WaitingJob } from './fair-queue.ts';
import type { Job } from './request-messages.ts';
import { WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

export interface RequestWorkersOptions extends Omit<WorkerThreadOptions, 'webhookCaller'> {
  /** The maximum number of threads. */
  readonly count: number;
}

/** The number of concurrent jobs of a thread: while one waits for the store or a webhook, another runs. */
const jobsAtOnceMax = 4;

/** The memory limit of waiting jobs; beyond it, the user whose jobs hold the most loses the latest one. */
const bytesHeldMax = 256 * 1024 * 1024;
/** No job is handed out while the running ones take this much memory. */
const bytesServedMax = 96 * 1024 * 1024;
/** Proposed to clients that are refused. */
const retryAfterSeconds = 1;

export class RequestWorkers {
  readonly #options: RequestWorkersOptions;
  readonly #threads = new Set<WorkerThread>();
  readonly #waiting = new FairQueue();
  /** The memory of running jobs. */
  #bytesServed = 0;
  #webhookCaller: WebhookCaller | undefined;
  #isUsable = true;
  #refuses = false;

  constructor(options: RequestWorkersOptions) {
    this.#options = options;
  }

  /** Sets the caller of webhooks, which is made after the threads and before any request. */
  useWebhookCaller(caller: WebhookCaller): void {
    this.#webhookCaller = caller;
  }

  /** False once a thread failed to start, and when the server stops. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * @param body the request's body, already read
   * @throws StatusError 500 when its thread has ended, for example for lack of memory; 429 when too much waits; 503 when
   *   the server stops
   */
  async serve(request: ApiRequest, body: Uint8Array): Promise<ApiResponse> {
    const answer = await this.#done(request, body.length, body.length, () => ({
      kind: 'serve',
      request: requestToPost(request, ownBytes(body), this.#options.clock.monotonic()),
    }));
    return answerFromPost(request, answer as PostedAnswer);
  }

  /** @throws StatusError as {@link serve} */
  async reform(
    request: ApiRequest,
    bytes: { readonly held: number; readonly total: number },
    json: () => Uint8Array,
    media: 'json' | 'yaml',
    pretty: boolean,
  ): Promise<Uint8Array> {
    const job = (): Job => ({ kind: 'reform', json: ownBytes(json()), media, pretty });
    return (await this.#done(request, bytes.held, bytes.total, job)) as Uint8Array;
  }

  /** Refuses what waits for a thread, now and later, so that a stopping server only completes what was begun. */
  refuseWaiting(): void {
    this.#refuses = true;
    while (!this.#waiting.isEmpty) this.#waiting.shift()!.reject(stopping());
  }

  async stop(): Promise<void> {
    this.#isUsable = false;
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  /** A waiting request holds no seats: others of its priority level, which need no thread, do not wait for it. */
  #done(
    request: ApiRequest,
    bytesHeld: number,
    bytesServed: number,
    job: () => Job,
  ): Promise<PostedAnswer | Uint8Array> {
    if (this.#refuses) return Promise.reject(stopping());
    request.onElsewhere?.();
    return new Promise((resolve, reject) => {
      const { signal, user, isUrgent } = request;
      this.#waiting.push({ job, bytesHeld, bytesServed, signal, resolve, reject }, user.name, isUrgent);
      this.#handOut();
      while (this.#waiting.bytesHeld > bytesHeldMax) {
        const dropped = this.#waiting.dropOfLargest();
        if (dropped === undefined) return;
        dropped.reject(tooManyRequests('too many large requests are waiting', retryAfterSeconds));
      }
    });
  }

  readonly #handOut = (): void => {
    while (!this.#waiting.isEmpty) {
      const thread = this.#isUsable ? this.#freeThread() : undefined;
      if (this.#isUsable && (thread === undefined || this.#bytesServed >= bytesServedMax)) return;
      const next = this.#waiting.shift()!;
      if (thread === undefined || next.signal.aborted)
        next.reject(internalError('no thread can serve the request'));
      else this.#begin(next, thread);
    }
  };

  #begin(next: WaitingJob, thread: WorkerThread): void {
    let job: Job;
    try {
      job = next.job();
    } catch (failure) {
      next.reject(failure as Error);
      return;
    }
    this.#bytesServed += next.bytesServed;
    thread.work({
      job,
      signal: next.signal,
      resolve: (result) => {
        this.#bytesServed -= next.bytesServed;
        next.resolve(result);
      },
      reject: ({ message }) => {
        this.#bytesServed -= next.bytesServed;
        next.reject(internalError(message));
      },
    });
  }

  /** The least busy thread; another one is started while the maximum allows it and all are busy. */
  #freeThread(): WorkerThread | undefined {
    const [least] = [...this.#threads].sort((a, b) => a.jobs - b.jobs);
    if (least !== undefined && (least.jobs === 0 || this.#threads.size >= this.#options.count))
      return least.jobs < jobsAtOnceMax ? least : undefined;
    const thread: WorkerThread = new WorkerThread(
      { ...this.#options, webhookCaller: () => this.#webhookCaller! },
      {
        onDone: this.#handOut,
        onEnd: (wasReady) => {
          this.#threads.delete(thread);
          // Another attempt to start would fail as well.
          this.#isUsable &&= wasReady;
          this.#handOut();
        },
      },
    );
    this.#threads.add(thread);
    return thread;
  }
}

const stopping = (): Error => serviceUnavailable('apiserver is shutting down', retryAfterSeconds);
