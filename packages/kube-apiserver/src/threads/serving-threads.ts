/**
 * Threads that accept connections, each with an API server of its own over the store of this thread: like several
 * servers with one etcd, but without a network. All listen on one port, and the system distributes the connections.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Clock } from '@coxswain/apimachinery';
import type { ApiRequest } from '@coxswain/apiserver';
import type { Answer } from '@coxswain/apiserver/http/api-response.ts';
import type { AuditPolicy } from '@coxswain/apiserver/audit/policy/audit-policy.ts';
import {
  answerToPost,
  requestFromPost,
  type PostedAnswer,
  type PostedRequest,
} from '@coxswain/apiserver/posted-request.ts';
import { listenError } from '@coxswain/apiserver/http/secure-serving.ts';
import { EventStream } from '@coxswain/storage/port/event-stream.ts';
import { serveStorage } from '@coxswain/storage/port/serve-storage.ts';
import { isLocal } from '@coxswain/storage/storage.ts';
import type { AssembledApiServer } from '../assemble.ts';
import type { Forwarder } from '../proxy/forwarder.ts';
import { CallsOfThread } from '../workers/posted-calls.ts';
import { carriedAnswer, requestOf, type CarriedAnswer, type CarriedRequest } from './carried-request.ts';
import { PortSocket } from './port-socket.ts';
import type { ServingThreadsSettings } from '../settings.ts';
import { addressOf, type OpenPort, type SecurePortSettings } from '../serving/secure-port.ts';
import { ThreadCalls, type CallMessage } from './thread-calls.ts';
import type { ServingThreadData, ToMainThread, ToServingThread } from './thread-messages.ts';

export interface ServingThreadsParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Of this thread. */
  readonly server: Pick<AssembledApiServer, 'storage' | 'auditBackend' | 'chain' | 'webhooks'>;
  readonly forwarder: Forwarder;
  readonly auditPolicy: AuditPolicy | undefined;
}

/** The delay before a thread that ended is replaced; doubled with each failure. */
const replacementMsMin = 100;
const replacementMsMax = 10_000;
/** Additional time for a thread to end beyond its server's own limit. */
const stoppingMsMax = 90_000;

interface ServingThread {
  readonly worker: Worker;
  readonly calls: ThreadCalls<ToServingThread, ToMainThread>;
  readonly gone: Promise<void>;
}

export class ServingThreads implements OpenPort {
  readonly port: number;
  readonly address: string;
  readonly #settings: ServingThreadsSettings;
  readonly #parts: ServingThreadsParts;
  readonly #stream: EventStream | undefined;
  readonly #threads = new Map<number, ServingThread>();
  #stopped: Promise<void> | undefined;

  /** @throws Error with a one-line message when a thread can't serve */
  static async start(
    settings: ServingThreadsSettings,
    { bindAddress, securePort, sharesPort = false }: SecurePortSettings,
    parts: ServingThreadsParts,
  ): Promise<ServingThreads> {
    const port = sharesPort && securePort !== 0 ? securePort : await freePort(bindAddress, securePort);
    const threads = new ServingThreads(settings, addressOf(bindAddress, port), port, parts);
    try {
      await Promise.all(Array.from({ length: settings.count }, (_, index) => threads.#begin(index)));
    } catch (failure) {
      await threads.close();
      throw failure;
    }
    return threads;
  }

  private constructor(
    settings: ServingThreadsSettings,
    address: string,
    port: number,
    parts: ServingThreadsParts,
  ) {
    this.#settings = settings;
    this.address = address;
    this.port = port;
    this.#parts = parts;
    const { storage } = parts.server;
    this.#stream = isLocal(storage) ? new EventStream(storage) : undefined;
  }

  /** The metrics of each thread as text. */
  expositions(): Promise<string[]> {
    return this.#askAll<string>({ kind: 'metrics' });
  }

  async resetMetrics(): Promise<void> {
    await this.#askAll({ kind: 'reset metrics' });
  }

  /** Each thread stops like a server: it refuses requests, waits for those in progress, and closes its connections. */
  stopListening(): void {
    detach(this.close());
  }

  close(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const timer = this.#parts.clock.after(stoppingMsMax, () => {
      for (const { worker } of this.#threads.values()) detach(worker.terminate());
    });
    await Promise.all(
      [...this.#threads.values()].map(async ({ worker, calls, gone }) => {
        await calls.ask({ kind: 'stop' }).catch(() => undefined);
        await worker.terminate();
        await gone;
      }),
    );
    timer.cancel();
    this.#stream?.stop();
  }

  async #askAll<Answer>(question: ToServingThread): Promise<Answer[]> {
    const answers = [...this.#threads.values()].map(({ calls }) =>
      calls.ask<Answer>(question).catch(() => undefined),
    );
    return (await Promise.all(answers)).filter((answer) => answer !== undefined);
  }

  /** Resolves when the thread listens. */
  #begin(index: number): Promise<void> {
    const { server, auditPolicy, log } = this.#parts;
    const { settings, count } = this.#settings;
    const { port1, port2 } = new MessageChannel();
    const closeStorage = serveStorage(port1, () => server.storage, this.#stream);
    const workerData: ServingThreadData = {
      settings,
      index,
      count,
      securePort: this.port,
      storage: this.#stream && port2,
      auditPolicy,
    };
    const worker = new Worker(entry(), { workerData, transferList: [port2], name: `serving ${index + 1}` });
    const serving = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const send = (message: CallMessage): void => worker.postMessage(message, []);
    const webhooks = new CallsOfThread((message) =>
      detach(calls.ask({ kind: 'webhook', message }), () => undefined),
    );
    const calls: ThreadCalls<ToServingThread, ToMainThread> = new ThreadCalls(send, (asked, signal) => {
      if (asked.kind === 'serving') return serving.resolve();
      if (asked.kind === 'failed') return serving.reject(new Error(asked.message));
      if (asked.kind === 'webhook') return webhooks.take(asked.message, server.webhooks);
      return this.#answer(asked, signal);
    });
    this.#threads.set(index, { worker, calls, gone: gone.promise });
    worker.on('message', (message: CallMessage) => calls.receive(message));
    worker.on('error', (failure) => log(`serving thread ${index + 1} has failed: ${String(failure)}`));
    worker.on('exit', () => {
      calls.end();
      webhooks.close();
      closeStorage();
      port1.close();
      this.#threads.delete(index);
      gone.resolve();
      serving.reject(new Error(`serving thread ${index + 1} ended before it served`));
      serving.promise.then(
        () => this.#replace(index, replacementMsMin),
        () => undefined,
      );
    });
    return serving.promise;
  }

  /** Its clients reconnect, and reach the other threads meanwhile. */
  #replace(index: number, afterMs: number): void {
    if (this.#stopped !== undefined) return;
    const { clock, log } = this.#parts;
    log(`serving thread ${index + 1} has ended; another one takes its place`);
    clock.after(afterMs, () => {
      if (this.#stopped !== undefined) return;
      this.#begin(index).catch((failure: unknown) => {
        log(`serving thread ${index + 1}: ${String(failure)}`);
        this.#replace(index, Math.min(afterMs * 2, replacementMsMax));
      });
    });
  }

  #answer(
    asked: Exclude<ToMainThread, { kind: 'serving' | 'failed' | 'webhook' }>,
    signal: AbortSignal,
  ): unknown {
    switch (asked.kind) {
      case 'log':
        return this.#settings.write(asked.text);
      case 'audit':
        return this.#parts.server.auditBackend?.process(asked.events) ?? true;
      case 'serve':
        return this.#serve(asked.request, signal);
      case 'carry':
        return this.#carry(asked.request, new PortSocket(asked.port), (request) =>
          this.#parts.server.chain.aggregator.handle(request),
        );
      case 'forward':
        return this.#carry(asked.request, new PortSocket(asked.port), (request) =>
          this.#parts.forwarder.forward(request, asked.target),
        );
    }
  }

  /** Serves a request that has passed the filters of its own thread. */
  async #serve(posted: PostedRequest, signal: AbortSignal): Promise<PostedAnswer> {
    const request = requestFromPost(posted, signal, this.#parts);
    return answerToPost(request, await this.#parts.server.chain.aggregator.handle(request));
  }

  async #carry(
    carried: CarriedRequest,
    socket: PortSocket,
    serve: (request: ApiRequest) => Answer,
  ): Promise<CarriedAnswer> {
    const request = requestOf(carried, socket, this.#parts);
    return carriedAnswer(request, await serve(request), socket);
  }
}

/** Threads share a port as separate programs could, so first check that nobody else has it. */
function freePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (failure: NodeJS.ErrnoException) => reject(listenError(host, port, failure)));
    server.listen({ host, port }, () => {
      const { port: found } = server.address() as AddressInfo;
      server.close(() => resolve(found));
    });
  });
}

/** Next to the bundle, or in the source. */
function entry(): string {
  const places = ['serving-thread.mjs', '../serving-thread.ts'].map((place) =>
    path.join(import.meta.dirname, place),
  );
  return places.find((place) => existsSync(place))!;
}
