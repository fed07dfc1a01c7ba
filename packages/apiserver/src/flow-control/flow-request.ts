/** Requests as the queues see them, and the queues in which they wait; each refers to the other. */
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';
import type { FlowCounts } from './flow-counts.ts';
import { expectedServiceMs, finalWorkOf, type WorkEstimate } from './work-estimate.ts';

/** What the queues need to know of a flow for metrics. */
export interface CountedFlow {
  readonly name: string;
  readonly counts: FlowCounts;
}

/** A request from its arrival until it has released its seats. */
export class FlowRequest<F extends CountedFlow = CountedFlow> {
  readonly flow: F;
  readonly distinguisher: string;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** On the server's monotonic clock, as the other times here. */
  readonly arrivedAtMs: number;
  estimate: WorkEstimate;
  /** The seats that it holds: the maximum of both phases. */
  readonly maxSeats: number;
  readonly totalWork: number;
  /** Absent if the level has no queues. */
  queue: RequestQueue | undefined = undefined;
  /** The progress meter R at its arrival. */
  arrivalR = 0;
  startedAtMs = 0;
  finishedAtMs = 0;
  /** Called once with whether the request may execute; only for requests that had to wait. */
  decide: ((executes: boolean) => void) | undefined = undefined;

  /** Its list and its neighbors there. */
  list: RequestList | undefined = undefined;
  before: FlowRequest | undefined = undefined;
  after: FlowRequest | undefined = undefined;

  constructor(
    flow: F,
    distinguisher: string,
    info: RequestInfo,
    user: UserInfo,
    arrivedAtMs: number,
    estimate: WorkEstimate,
  ) {
    this.flow = flow;
    this.distinguisher = distinguisher;
    this.info = info;
    this.user = user;
    this.arrivedAtMs = arrivedAtMs;
    this.estimate = estimate;
    this.maxSeats = Math.max(estimate.initialSeats, estimate.finalSeats);
    this.totalWork = estimate.initialSeats * expectedServiceMs + finalWorkOf(estimate);
  }
}

/** Requests in order of arrival; removal takes constant time at any position. */
export class RequestList {
  length = 0;
  first: FlowRequest | undefined = undefined;
  #last: FlowRequest | undefined = undefined;

  push(request: FlowRequest): void {
    request.list = this;
    request.before = this.#last;
    if (this.#last === undefined) this.first = request;
    else this.#last.after = request;
    this.#last = request;
    this.length++;
  }

  /** Returns whether the request was in this list. */
  remove(request: FlowRequest): boolean {
    if (request.list !== this) return false;
    const { before, after } = request;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    request.list = request.before = request.after = undefined;
    this.length--;
    return true;
  }

  *[Symbol.iterator](): Generator<FlowRequest> {
    for (let request = this.first; request !== undefined; request = request.after) yield request;
  }
}

/** One queue of a priority level: its waiting requests and those dispatched from it that are still being served. */
export class RequestQueue {
  /** Its index among the queues of the level. */
  index: number;
  readonly waiting = new RequestList();
  readonly executing = new RequestList();
  /** The value of R at which its next request is due. */
  nextDispatchR = 0;
  /** Held by requests of this queue, including answered ones whose seats are not yet released. */
  seatsInUse = 0;
  /** Sums over the waiting requests. */
  waitingInitialSeats = 0;
  waitingSeats = 0;
  waitingWork = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.executing.length === 0;
  }

  enqueue(request: FlowRequest): void {
    this.waiting.push(request);
    this.#sum(request, 1);
  }

  /** Returns whether the request waited here. */
  dequeue(request: FlowRequest): boolean {
    if (!this.waiting.remove(request)) return false;
    this.#sum(request, -1);
    return true;
  }

  /**
   * A queue that cannot use its share would accumulate credit and later crowd out the others, so no request is due
   * before it arrived.
   */
  forgetCredit(): void {
    const { first } = this.waiting;
    if (first !== undefined && this.nextDispatchR < first.arrivalR) this.nextDispatchR = first.arrivalR;
  }

  #sum(request: FlowRequest, sign: 1 | -1): void {
    this.waitingInitialSeats += sign * request.estimate.initialSeats;
    this.waitingSeats += sign * request.maxSeats;
    this.waitingWork = this.waiting.length === 0 ? 0 : this.waitingWork + sign * request.totalWork;
  }
}
