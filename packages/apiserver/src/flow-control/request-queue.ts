/** One queue of a priority level: what waits in it, and what was taken out of it and is being served. */
import type { FlowRequest } from './flow-request.ts';
import { RequestList } from './request-list.ts';

export class RequestQueue {
  /** Its place among the queues of the level. */
  index: number;
  readonly waiting = new RequestList();
  readonly executing = new RequestList();
  /** The reading of the progress meter at which its next request is due. */
  nextDispatchR = 0;
  /** Held by requests out of this queue, those included whose answers are out but whose seats are not free yet. */
  seatsInUse = 0;
  /** Sums over what waits. */
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

  /** Whether it waited here. */
  dequeue(request: FlowRequest): boolean {
    if (!this.waiting.remove(request)) return false;
    this.#sum(request, -1);
    return true;
  }

  /**
   * A queue that cannot use its share would gather credit, and later crowd out the others; so no request is
   * due before it came.
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
