/**
 * Threads that serve large requests besides the main one. A thread starts when it is first needed and ends after an
 * idle time: a server without large requests has none.
 */
import { internalError } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import type { ApiResponse } from '@coxswain/apiserver/http/api-response.ts';
import { answerFromPost, requestToPost, type PostedAnswer } from '@coxswain/apiserver/posted-request.ts';
import { ownBytes } from '@coxswain/storage/port/port.ts';
import { FairQueue } from './fair-queue.ts';
import type { Job } from './request-messages.ts';
import { WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

export interface RequestWorkersOptions extends WorkerThreadOptions {
  /** The maximum number of threads. */
  readonly count: number;
}

/** The number of concurrent jobs of a thread: while one waits for the store or a webhook, another runs. */
const jobsAtOnceMax = 4;

/** The memory limit of waiting and running jobs; a single one may exceed it. */
const bytesHeldMax = 96 * 1024 * 1024;

export class RequestWorkers {
  readonly #options: RequestWorkersOptions;
  readonly #threads = new Set<WorkerThread>();
  readonly #waiting = new FairQueue();
  /** The memory of waiting and running jobs. */
  #bytesHeld = 0;
  readonly #waitingForRoom: (() => void)[] = [];
  #isUsable = true;

  constructor(options: RequestWorkersOptions) {
    this.#options = options;
  }

  /** False once a thread failed to start, and when the server stops. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * @param body the request's body, already read
   * @throws StatusError 500 when its thread has ended, for example for lack of memory
   */
  async serve(request: ApiRequest, body: Uint8Array): Promise<ApiResponse> {
    const answer = await this.#done(request, body.length, () => ({
      kind: 'serve',
      request: requestToPost(request, ownBytes(body), this.#options.clock.monotonic()),
    }));
    return answerFromPost(request, answer as PostedAnswer);
  }

  /** @throws StatusError as {@link serve} */
  async reform(
    request: ApiRequest,
    bytes: number,
    json: () => Uint8Array,
    media: 'json' | 'yaml',
    pretty: boolean,
  ): Promise<Uint8Array> {
    const job = (): Job => ({ kind: 'reform', json: ownBytes(json()), media, pretty });
    return (await this.#done(request, bytes, job)) as Uint8Array;
  }

  async stop(): Promise<void> {
    this.#isUsable = false;
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }

  /** Until there is room, the request keeps its seats, so that others wait in their fair queues. */
  async #done(request: ApiRequest, bytes: number, job: () => Job): Promise<PostedAnswer | Uint8Array> {
    while (this.#bytesHeld > 0 && this.#bytesHeld + bytes > bytesHeldMax) {
      await new Promise<void>((resolve) => void this.#waitingForRoom.push(resolve));
      if (!request.signal.aborted) continue;
      this.#waitingForRoom.shift()?.();
      throw internalError('the client has gone');
    }
    this.#bytesHeld += bytes;
    request.onElsewhere?.();
    try {
      return await new Promise((resolve, reject) => {
        const failed = ({ message }: Error) => reject(internalError(message));
        const waiting = { job: job(), signal: request.signal, resolve, reject: failed };
        this.#waiting.push(waiting, request.user.name, request.isUrgent);
        this.#handOut();
      });
    } finally {
      this.#bytesHeld -= bytes;
      this.#waitingForRoom.shift()?.();
    }
  }

  readonly #handOut = (): void => {
    while (!this.#waiting.isEmpty) {
      const thread = this.#isUsable ? this.#freeThread() : undefined;
      if (thread === undefined && this.#isUsable) return;
      const next = this.#waiting.shift()!;
      if (thread === undefined || next.signal.aborted)
        next.reject(new Error('no thread can serve the request'));
      else thread.work(next);
    }
  };

  /** The least busy thread; another one is started while the maximum allows it and all are busy. */
  #freeThread(): WorkerThread | undefined {
    const [least] = [...this.#threads].sort((a, b) => a.jobs - b.jobs);
    if (least !== undefined && (least.jobs === 0 || this.#threads.size >= this.#options.count))
      return least.jobs < jobsAtOnceMax ? least : undefined;
    const thread: WorkerThread = new WorkerThread(this.#options, {
      onDone: this.#handOut,
      onEnd: (wasReady) => {
        this.#threads.delete(thread);
        // Another attempt to start would fail as well.
        this.#isUsable &&= wasReady;
        this.#handOut();
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}
