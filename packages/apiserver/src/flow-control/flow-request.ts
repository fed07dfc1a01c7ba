/** A request as the queues see it, from its arrival until it has given back its seats. */
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';
import type { Flow } from './flow.ts';
import type { RequestQueue } from './request-queue.ts';
import type { RequestList } from './request-list.ts';
import { expectedServiceMs, finalWorkOf, type WorkEstimate } from './work-estimate.ts';

export class FlowRequest {
  readonly flow: Flow;
  readonly distinguisher: string;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** On the server's monotonic clock, as the other times here. */
  readonly arrivedAtMs: number;
  estimate: WorkEstimate;
  /** The seats that it holds: the most it needs in either phase. */
  readonly maxSeats: number;
  readonly totalWork: number;
  /** Absent where the level has no queues. */
  queue: RequestQueue | undefined = undefined;
  /** The progress meter at its arrival. */
  arrivalR = 0;
  startedAtMs = 0;
  finishedAtMs = 0;
  /** Told once whether the request may go on; only of those that had to wait. */
  decide: ((executes: boolean) => void) | undefined = undefined;

  /** The neighbours in the list that it is in. */
  list: RequestList | undefined = undefined;
  before: FlowRequest | undefined = undefined;
  after: FlowRequest | undefined = undefined;

  constructor(
    flow: Flow,
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
