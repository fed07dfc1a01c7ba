import type { Clock, Timer } from '@coxswain/apimachinery';
import { atNextTurn } from '@coxswain/apimachinery/next-turn.ts';
import {
  StorageError,
  type Engine,
  type Event,
  type EventBatch,
  type KeyRange,
  type Revision,
  type Subscription,
} from '@coxswain/storage';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { bytesOf } from '@coxswain/storage/key-bytes.ts';
import {
  WatchRequest,
  WatchResponse,
  eventTypes,
  watchFilters,
  type WatchCreateRequest,
  type WatchedEvent,
} from '@coxswain/storage/etcd/messages.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import type { AuthStore } from './auth/auth-store.ts';
import { mustWatch } from './auth/auth-guard.ts';
import { stream, type Methods, type StreamCall } from '@coxswain/grpc/server/method.ts';
import { asKeyRange, keyValueOf, rangeOf } from './kv/keys.ts';
import { headerOf, type Member } from './member.ts';

/** The watch id of responses that belong to no watch. */
const noWatch = -1;
/** With more unsent data than this, a client's watches pause and continue from the log after it has read. */
const unsentBytesMax = 16 * 1024 * 1024;
/** Larger responses are split for watches that requested it, as in etcd. */
const fragmentBytesMax = 2 * 1024 * 1024;
const watchesPerStreamMax = 100_000;
/** The number of watches whose events are sent, or which continue after a pause, in one turn of the event loop. */
const watchesPerTurn = 500;

type Call = StreamCall<Decoded<typeof WatchRequest>, Input<typeof WatchResponse>>;

export interface WatchOptions {
  readonly engine: Engine;
  readonly member: Member;
  readonly clock: Clock;
  readonly progressNotifyMs: number;
  readonly auth: AuthStore;
}

export const watchService = (options: WatchOptions): Methods => ({
  '/etcdserverpb.Watch/Watch': stream(WatchRequest, WatchResponse, async (call) => {
    const connection = new WatchConnection(call, options);
    try {
      for await (const request of call.requests) connection.take(request);
    } finally {
      connection.close();
    }
  }),
});

interface Watch {
  readonly id: number;
  readonly range: KeyRange;
  readonly request: Decoded<typeof WatchCreateRequest>;
  /** Events with a lower revision are skipped: a watch may begin in the future. */
  readonly from: Revision;
  /** The last revision that was processed. */
  reached: Revision;
  ready: Event[];
  subscription: Subscription | undefined;
  lastSentMs: number;
}

/** The watches of one client on one stream. */
class WatchConnection {
  readonly #call: Call;
  readonly #options: WatchOptions;
  readonly #watches = new Map<number, Watch>();
  #nextId = 0;
  /** Watches with events to send. */
  readonly #ready = new Set<Watch>();
  /** Watches that wait until the client has read. */
  readonly #paused = new Set<Watch>();
  #isFlushing = false;
  #isResuming = false;
  #notify: Timer | undefined;

  constructor(call: Call, options: WatchOptions) {
    this.#call = call;
    this.#options = options;
  }

  take({ create, cancel, progress }: Decoded<typeof WatchRequest>): void {
    if (create !== undefined) this.#create(create);
    else if (cancel !== undefined) this.#cancel(cancel.watchId, {});
    else if (progress !== undefined) this.#reportProgress();
  }

  close(): void {
    this.#notify?.cancel();
    for (const { subscription } of this.#watches.values()) subscription?.cancel();
    for (const watches of [this.#watches, this.#ready, this.#paused]) watches.clear();
  }

  #create(request: Decoded<typeof WatchCreateRequest>): void {
    const id = this.#idFor(request.watchId);
    if (id === undefined) {
      const cancelReason = 'etcdserver: mvcc: duplicate watch ID provided on the WatchStream';
      return this.#send({ watchId: noWatch, created: true, canceled: true, cancelReason });
    }
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined)
      return this.#send({ watchId: noWatch, created: true, canceled: true, cancelReason: refusal });
    const { engine, clock } = this.#options;
    // No key at all means all keys.
    const key = request.key.length === 0 ? Uint8Array.of(0) : request.key;
    const from = request.startRevision > 0 ? request.startRevision : engine.revision + 1;
    const watch: Watch = {
      id,
      request,
      from,
      range: asKeyRange(rangeOf(key, request.rangeEnd)),
      reached: Math.min(from - 1, engine.revision),
      ready: [],
      subscription: undefined,
      lastSentMs: clock.monotonic(),
    };
    this.#watches.set(id, watch);
    this.#send({ watchId: id, created: true });
    if (this.#paused.size > 0) this.#paused.add(watch);
    else this.#follow(watch);
    if (request.progressNotify) this.#scheduleNotify();
  }

  /** The reason why this caller may not watch the range. */
  #refusalOf(request: Decoded<typeof WatchCreateRequest>): string | undefined {
    try {
      mustWatch(this.#options.auth, this.#call.caller, request);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof GrpcError)) throw failure;
      return `rpc error: code = ${failure.code === grpcCodes.permissionDenied ? 'PermissionDenied' : 'Unauthenticated'} desc = ${failure.message}`;
    }
  }

  #idFor(wanted: number): number | undefined {
    if (this.#watches.size >= watchesPerStreamMax) return undefined;
    if (wanted > 0) return this.#watches.has(wanted) ? undefined : wanted;
    while (this.#watches.has(this.#nextId)) this.#nextId++;
    return this.#nextId++;
  }

  #follow(watch: Watch): void {
    watch.subscription = this.#options.engine.subscribe(watch.range, watch.reached, {
      onEvents: (batch) => this.#onEvents(watch, batch),
      onEnd: (reason) => this.#onEnd(watch, reason),
    });
    // The watch may have ended meanwhile.
    if (!this.#watches.has(watch.id)) watch.subscription.cancel();
  }

  #onEvents(watch: Watch, batch: EventBatch): void {
    watch.reached = batch.revision;
    for (const event of batch.events) if (isWanted(watch, event)) watch.ready.push(event);
    if (watch.ready.length === 0) return;
    this.#ready.add(watch);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(this.#flush);
  }

  /** Sends the events of this turn: one response per watch. */
  readonly #flush = (): void => {
    this.#isFlushing = false;
    let count = 0;
    for (const watch of this.#ready) {
      if (this.#isBehind) return this.#pauseAll();
      if (count++ === watchesPerTurn) {
        this.#isFlushing = true;
        return atNextTurn(this.#flush);
      }
      this.#sendReady(watch);
    }
    if (this.#isBehind) this.#pauseAll();
  };

  get #isBehind(): boolean {
    return this.#call.unsentBytes > unsentBytesMax;
  }

  #sendReady(watch: Watch): void {
    this.#ready.delete(watch);
    const events = watch.ready;
    if (events.length === 0) return;
    watch.ready = [];
    watch.lastSentMs = this.#options.clock.monotonic();
    this.#sendEvents(watch, events);
  }

  #pauseAll(): void {
    for (const watch of this.#watches.values()) this.#pause(watch);
    if (this.#isResuming) return;
    this.#isResuming = true;
    this.#call.onDrain(this.#resume);
  }

  /** What was not sent is read from the log again. */
  #pause(watch: Watch): void {
    watch.subscription?.cancel();
    watch.subscription = undefined;
    const [first] = watch.ready;
    if (first !== undefined) watch.reached = first.entry.modRevision - 1;
    watch.ready = [];
    this.#ready.delete(watch);
    this.#paused.add(watch);
  }

  readonly #resume = (): void => {
    let count = 0;
    for (const watch of this.#paused) {
      if (this.#isBehind) return this.#call.onDrain(this.#resume);
      if (count++ === watchesPerTurn) return atNextTurn(this.#resume);
      this.#paused.delete(watch);
      this.#follow(watch);
      this.#sendReady(watch);
    }
    this.#isResuming = false;
  };

  #sendEvents(watch: Watch, events: readonly Event[]): void {
    const pieces = watch.request.fragment ? fragments(events, watch.request.prevKv) : [events];
    for (const [index, piece] of pieces.entries()) {
      this.#send({
        watchId: watch.id,
        events: piece.map((event) => watchedEvent(event, watch.request.prevKv)),
        fragment: index < pieces.length - 1,
      });
    }
  }

  #onEnd(watch: Watch, reason: Error): void {
    const isCompacted = reason instanceof StorageError && reason.kind === 'compacted';
    this.#sendReady(watch);
    this.#cancel(
      watch.id,
      isCompacted ? { compactRevision: reason.revision } : { cancelReason: reason.message },
    );
  }

  #cancel(id: number, details: Input<typeof WatchResponse>): void {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    for (const watches of [this.#ready, this.#paused]) watches.delete(watch);
    this.#watches.delete(id);
    watch.subscription?.cancel();
    this.#send({ watchId: id, canceled: true, ...details });
  }

  /**
   * Succeeds only if nothing is in flight: a watch that has fallen behind gets no response, and the client asks again.
   */
  #reportProgress(): void {
    if (this.#paused.size > 0) return;
    this.#flush();
    if (this.#ready.size + this.#paused.size === 0) this.#send({ watchId: noWatch });
  }

  #scheduleNotify(): void {
    const { clock, progressNotifyMs } = this.#options;
    this.#notify ??= clock.after(
      progressNotifyMs,
      () => {
        this.#notify = undefined;
        this.#notifyIdle(clock.monotonic() - progressNotifyMs);
        this.#scheduleNotify();
      },
      { idle: true },
    );
  }

  #notifyIdle(sinceMs: number): void {
    if (this.#paused.size > 0) return;
    for (const watch of this.#watches.values()) {
      if (watch.request.progressNotify && watch.lastSentMs <= sinceMs) this.#send({ watchId: watch.id });
    }
  }

  #send(response: Input<typeof WatchResponse>): void {
    this.#call.send({ header: headerOf(this.#options.member, this.#options.engine), ...response });
  }
}

function isWanted({ from, request: { filters } }: Watch, { type, entry }: Event): boolean {
  if (entry.modRevision < from) return false;
  return !filters.includes(type === 'put' ? watchFilters.noPut : watchFilters.noDelete);
}

function watchedEvent({ type, entry, previous }: Event, withPrevious: boolean): Input<typeof WatchedEvent> {
  return {
    type: eventTypes[type],
    kv: type === 'put' ? keyValueOf(entry) : { key: bytesOf(entry.key), modRevision: entry.modRevision },
    prevKv: withPrevious && previous !== undefined ? keyValueOf(previous) : undefined,
  };
}

function fragments(events: readonly Event[], withPrevious: boolean): (readonly Event[])[] {
  const pieces: Event[][] = [[]];
  let bytes = 0;
  for (const event of events) {
    const size = event.entry.value.length + (withPrevious ? (event.previous?.value.length ?? 0) : 0);
    if (bytes > 0 && bytes + size > fragmentBytesMax) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)!.push(event);
    bytes += size;
  }
  return pieces;
}
