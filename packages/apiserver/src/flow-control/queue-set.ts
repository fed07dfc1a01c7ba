/**
 * The queues of one priority level, dispatched by fair queuing in virtual time.
 *
 * The progress meter R is the work (seats × milliseconds) that each busy queue has received since the start; its speed
 * is the number of seats divided by the number of busy queues. A queue's next request is due when R reaches what the
 * queue has used so far; of all waiting requests, the one that would finish first is dispatched. A queue with many
 * requests is thus ahead of R, so that a queue with few requests passes it.
 *
 * A level without queues only counts its seats; an exempt one only counts requests.
 */
import type { Clock } from '@coxswain/apimachinery';
import { type FlowRequest, RequestList, RequestQueue } from './flow-request.ts';
import { expectedServiceMs, finalWorkOf } from './work-estimate.ts';

export type Queuing =
  | { readonly kind: 'exempt' }
  | { readonly kind: 'reject' }
  | {
      readonly kind: 'queue';
      readonly queues: number;
      readonly handSize: number;
      readonly lengthMax: number;
    };

/** Called whenever one of these numbers may have changed. */
export interface SeatObserver {
  seatsChanged(set: QueueSet, nowMs: number): void;
}

/** Values of R for metrics. `due`: when a queue's next request is due. */
export interface DispatchReadings {
  /** At the last dispatch. */
  r: number;
  /** Of the most recently dispatched request. */
  due: number;
  /** The minimum over all queues that had waiting requests then. */
  dueMin: number;
  dueMax: number;
  /** The same, less the work in progress. */
  discountedMin: number;
  discountedMax: number;
}

export type Admission = 'executing' | 'waiting' | 'rejected';

export class QueueSet {
  readonly #clock: Clock;
  readonly #observer: SeatObserver;
  #isDispatching = false;
  #queuing: Queuing = { kind: 'reject' };
  /** Seats that may be in use at once. */
  #seatsMax = 0;
  /**
   * Includes surplus queues while they still have requests. Queues are created on first use: there are hundreds, and
   * most test servers never use one.
   */
  #queues: (RequestQueue | undefined)[] = [];
  readonly #executingUnqueued = new RequestList();
  #currentR = 0;
  #readAtMs: number;
  /** The queue of the last dispatch: among equals, the search continues behind it. */
  #lastIndex = 0;
  #enqueues = 0;
  #busyQueues = 0;
  /** Seats of queued requests, waiting and executing, which determine the meter's speed. */
  #queuedSeats = 0;
  waiting = 0;
  executing = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  cancelled = 0;
  readonly lastDispatch: DispatchReadings = {
    r: 0,
    due: 0,
    dueMin: 0,
    dueMax: 0,
    discountedMin: 0,
    discountedMax: 0,
  };

  constructor(clock: Clock, observer: SeatObserver) {
    this.#clock = clock;
    this.#observer = observer;
    this.#readAtMs = clock.monotonic();
  }

  get queues(): readonly RequestQueue[] {
    return Array.from(this.#queues, (_queue, index) => this.#queueAt(index));
  }

  get executingUnqueued(): Iterable<FlowRequest> {
    return this.#executingUnqueued;
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing === 0;
  }

  get currentR(): number {
    return this.#currentR;
  }

  /** Surplus queues are still drained; waiting requests are served as far as the new bound allows. */
  configure(queuing: Queuing, seatsMax: number): void {
    this.#readMeter(this.#clock.monotonic());
    this.#queuing = queuing;
    this.#seatsMax = seatsMax;
    if (queuing.kind === 'queue' && this.#queues.length < queuing.queues)
      this.#queues.length = queuing.queues;
    this.#dispatchAll();
  }

  /**
   * Takes in a request that has just arrived. One that has to wait learns the result later through its `decide`.
   * @param hand the queues that its flow may use; ignored without queues
   */
  admit(request: FlowRequest, hand: readonly number[]): Admission {
    const nowMs = request.arrivedAtMs;
    this.#readMeter(nowMs);
    request.arrivalR = this.#currentR;
    const queuing = this.#queuing;
    if (queuing.kind !== 'queue') {
      if (!this.#hasSeats(request.maxSeats)) return this.#reject(request, 'concurrency-limit');
      this.#execute(request, nowMs);
      return 'executing';
    }
    const queue = this.#choose(hand);
    const isFull = this.seatsInUse >= this.#seatsMax;
    if (isFull && queue.waiting.length >= queuing.lengthMax) return this.#reject(request, 'queue-full');
    if (queue.isIdle) {
      queue.nextDispatchR = this.#currentR;
      this.#busyQueues++;
    }
    request.queue = queue;
    request.flow.counts.observeQueueLength(queue.waiting.length + 1);
    if (this.waiting === 0 && !isFull && this.#hasSeats(request.maxSeats)) {
      // Nobody is ahead of it, which equals queuing and immediate dispatch.
      this.#clearBounds();
      this.#noteBounds(queue);
      this.#start(request, queue, nowMs);
      return 'executing';
    }
    this.#enqueue(request, queue, nowMs);
    this.#dispatchAll();
    return request.list === queue.executing ? 'executing' : 'waiting';
  }

  /** Releases the resources of an executed request. Its final seats may be held for a while. */
  finish(request: FlowRequest, nowMs: number = this.#clock.monotonic()): void {
    this.#readMeter(nowMs);
    const { queue, flow, estimate } = request;
    request.finishedAtMs = nowMs;
    this.executing--;
    flow.counts.executing--;
    if (queue === undefined) this.#executingUnqueued.remove(request);
    else {
      queue.executing.remove(request);
      // The estimated service time is corrected by the actual one.
      const tookMs = nowMs - request.startedAtMs;
      queue.nextDispatchR -= estimate.initialSeats * (expectedServiceMs - tookMs);
      queue.forgetCredit();
      if (queue.isIdle) this.#busyQueues--;
    }
    if (estimate.additionalLatencyMs <= 0) this.#release(request, nowMs);
    else {
      this.#observer.seatsChanged(this, nowMs);
      this.#clock.after(estimate.additionalLatencyMs, () => this.#releaseLater(request), { idle: true });
    }
    if (this.waiting > 0) this.#dispatchAll();
  }

  /** Removes a request that waited too long, or whose client has disconnected. */
  giveUp(request: FlowRequest): void {
    const { queue, flow } = request;
    const nowMs = this.#clock.monotonic();
    this.#readMeter(nowMs);
    if (queue === undefined || !this.#unqueue(request, queue)) return;
    if (queue.isIdle) this.#busyQueues--;
    queue.forgetCredit();
    this.rejected++;
    this.cancelled++;
    flow.counts.reject('time-out');
    this.#observer.seatsChanged(this, nowMs);
    this.#dropSurplus(queue);
    request.decide?.(false);
  }

  #reject(request: FlowRequest, reason: string): Admission {
    this.rejected++;
    request.flow.counts.reject(reason);
    return 'rejected';
  }

  /** The queue of the hand with the least waiting work; round robin among equals. */
  #choose(hand: readonly number[]): RequestQueue {
    const offset = this.#enqueues++ % hand.length;
    let best = this.#queueAt(hand[offset]!);
    if (this.waiting === 0) return best;
    for (let at = 1; at < hand.length; at++) {
      const queue = this.#queueAt(hand[(offset + at) % hand.length]!);
      if (queue.waitingWork < best.waitingWork) best = queue;
    }
    return best;
  }

  #queueAt(index: number): RequestQueue {
    return (this.#queues[index] ??= new RequestQueue(index));
  }

  #enqueue(request: FlowRequest, queue: RequestQueue, nowMs: number): void {
    const { counts } = request.flow;
    queue.enqueue(request);
    queue.forgetCredit();
    this.waiting++;
    this.seatsWaiting += request.maxSeats;
    this.#queuedSeats += request.maxSeats;
    counts.waiting++;
    counts.seatsWaiting += request.maxSeats;
    this.#observer.seatsChanged(this, nowMs);
  }

  #unqueue(request: FlowRequest, queue: RequestQueue): boolean {
    if (!queue.dequeue(request)) return false;
    const { counts } = request.flow;
    this.waiting--;
    this.seatsWaiting -= request.maxSeats;
    this.#queuedSeats -= request.maxSeats;
    counts.waiting--;
    counts.seatsWaiting -= request.maxSeats;
    return true;
  }

  /** A dispatched request may be served and finished before the next one is considered. */
  #dispatchAll(): void {
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    try {
      while (this.waiting > 0 && this.seatsInUse < this.#seatsMax) {
        if (!this.#dispatchOne()) return;
      }
    } finally {
      this.#isDispatching = false;
    }
  }

  #dispatchOne(): boolean {
    const queue = this.#mostUrgent();
    const request = queue?.waiting.first;
    if (queue === undefined || request === undefined) return false;
    if (!this.#hasSeats(request.maxSeats)) {
      request.flow.counts.noteUnaccommodated();
      return false;
    }
    this.#unqueue(request, queue);
    this.#start(request, queue, this.#clock.monotonic());
    queue.forgetCredit();
    request.decide?.(true);
    return true;
  }

  /** The queue whose first request would finish first in virtual time. */
  #mostUrgent(): RequestQueue | undefined {
    const count = this.#queues.length;
    let found: RequestQueue | undefined;
    let soonest = Number.POSITIVE_INFINITY;
    this.#clearBounds();
    for (let step = 1; step <= count; step++) {
      const queue = this.#queues[(this.#lastIndex + step) % count];
      const first = queue?.waiting.first;
      if (queue === undefined || first === undefined) continue;
      this.#noteBounds(queue);
      const doneR = queue.nextDispatchR + first.totalWork;
      if (doneR < soonest) {
        soonest = doneR;
        found = queue;
      }
    }
    return found;
  }

  #clearBounds(): void {
    const readings = this.lastDispatch;
    readings.dueMin = readings.discountedMin = Number.POSITIVE_INFINITY;
    readings.dueMax = readings.discountedMax = Number.NEGATIVE_INFINITY;
  }

  #noteBounds({ nextDispatchR, seatsInUse }: RequestQueue): void {
    const readings = this.lastDispatch;
    const discounted = nextDispatchR - seatsInUse * expectedServiceMs;
    if (nextDispatchR < readings.dueMin) readings.dueMin = nextDispatchR;
    if (nextDispatchR > readings.dueMax) readings.dueMax = nextDispatchR;
    if (discounted < readings.discountedMin) readings.discountedMin = discounted;
    if (discounted > readings.discountedMax) readings.discountedMax = discounted;
  }

  #hasSeats(seats: number): boolean {
    if (this.#queuing.kind === 'exempt') return true;
    // A request that needs more seats than exist runs alone.
    if (seats > this.#seatsMax) return this.executing === 0;
    return this.seatsInUse + seats <= this.#seatsMax;
  }

  #start(request: FlowRequest, queue: RequestQueue, nowMs: number): void {
    this.#lastIndex = queue.index;
    this.lastDispatch.r = this.#currentR;
    this.lastDispatch.due = queue.nextDispatchR;
    this.#narrow(request);
    queue.executing.push(request);
    queue.seatsInUse += request.maxSeats;
    this.#queuedSeats += request.maxSeats;
    queue.nextDispatchR += request.totalWork;
    this.#count(request, nowMs);
  }

  /** Executes without a queue. */
  #execute(request: FlowRequest, nowMs: number): void {
    this.#executingUnqueued.push(request);
    this.#count(request, nowMs);
  }

  #count(request: FlowRequest, nowMs: number): void {
    const { counts } = request.flow;
    request.startedAtMs = nowMs;
    this.executing++;
    this.dispatched++;
    this.seatsInUse += request.maxSeats;
    counts.dispatched++;
    counts.executing++;
    counts.seatsInUse += request.maxSeats;
    this.#observer.seatsChanged(this, nowMs);
  }

  /** Limits the final phase to the level's seats; the work stays the same, so it takes longer. */
  #narrow(request: FlowRequest): void {
    const { estimate } = request;
    if (estimate.finalSeats <= this.#seatsMax) return;
    const finalSeats = Math.max(1, this.#seatsMax);
    request.estimate = { ...estimate, finalSeats, additionalLatencyMs: finalWorkOf(estimate) / finalSeats };
  }

  #releaseLater(request: FlowRequest): void {
    const nowMs = this.#clock.monotonic();
    this.#readMeter(nowMs);
    this.#release(request, nowMs);
    this.#dispatchAll();
  }

  #release(request: FlowRequest, nowMs: number): void {
    const { queue, maxSeats, flow } = request;
    this.seatsInUse -= maxSeats;
    flow.counts.seatsInUse -= maxSeats;
    if (queue !== undefined) {
      queue.seatsInUse -= maxSeats;
      this.#queuedSeats -= maxSeats;
      this.#dropSurplus(queue);
    }
    this.#observer.seatsChanged(this, nowMs);
  }

  #dropSurplus(queue: RequestQueue): void {
    const wanted = this.#queuing.kind === 'queue' ? this.#queuing.queues : 0;
    if (this.#queues.length <= wanted || !queue.isIdle || this.#queues[queue.index] !== queue) return;
    this.#queues.splice(queue.index, 1);
    for (let at = queue.index; at < this.#queues.length; at++) {
      const moved = this.#queues[at];
      if (moved !== undefined) moved.index = at;
    }
    if (this.#lastIndex >= queue.index) this.#lastIndex--;
  }

  #readMeter(nowMs: number): void {
    if (this.#busyQueues > 0) {
      const speed = Math.min(this.#queuedSeats, this.#seatsMax) / this.#busyQueues;
      this.#currentR += speed * (nowMs - this.#readAtMs);
    }
    this.#readAtMs = nowMs;
  }
}
