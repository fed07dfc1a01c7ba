/**
 * Priority and fairness as the filter uses it: a request arrives, may wait, executes, and leaves. Watches leave once
 * they are open.
 */
import type { Clock } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { terminationCounter, type NoteTermination } from '../metrics/termination-metrics.ts';
import { DroppedRequests } from './dropped-requests.ts';
import { workEstimator, type EstimateWork } from './estimate-work.ts';
import { FlowController } from './flow-controller.ts';
import type { Flow } from './flow.ts';
import { FlowRequest } from './flow-request.ts';
import type { StoredSizes } from './list-work.ts';
import type { Admission } from './queue-set.ts';
import type { RequestsInProgress } from './requests-in-progress.ts';
import { WatchTracker } from './watch-tracker.ts';

export interface FlowControlOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The seats of all levels together. */
  readonly seatsTotal: number;
  readonly sizes: StoredSizes;
  readonly inProgress: RequestsInProgress;
}

export class FlowControl {
  readonly controller: FlowController;
  readonly watches = new WatchTracker();
  readonly dropped: DroppedRequests;
  readonly noteTermination: NoteTermination;
  readonly inProgress: RequestsInProgress;
  readonly #clock: Clock;
  readonly #estimate: EstimateWork;

  constructor({ clock, metrics, seatsTotal, sizes, inProgress }: FlowControlOptions) {
    this.#clock = clock;
    this.inProgress = inProgress;
    this.dropped = new DroppedRequests(clock);
    this.noteTermination = terminationCounter(metrics);
    this.#estimate = workEstimator(sizes, this.watches);
    this.controller = new FlowController({
      clock,
      metrics,
      seatsTotal,
      onDivision: (seats, places) => inProgress.relateTo(seats, places),
    });
  }

  flowOf({ info, user }: ApiRequest): Flow {
    return this.controller.flowOf(info, user);
  }

  /** Registers a request without admitting it yet. */
  arrival(request: ApiRequest, flow: Flow): FlowRequest<Flow> {
    const { info, user } = request;
    const { level, counts } = flow;
    const estimate = this.#estimate(request, level.requestSeatsMax, counts);
    const distinguisher = flow.distinguisherOf(info, user);
    const entry = new FlowRequest(flow, distinguisher, info, user, this.#clock.monotonic(), estimate);
    counts.observeSeats(entry.maxSeats);
    return entry;
  }

  admit(entry: FlowRequest<Flow>): Admission {
    const { flow, distinguisher } = entry;
    const admission = flow.level.set.admit(entry, flow.handOf(distinguisher));
    if (admission !== 'waiting') this.#noteWait(entry, admission);
    if (admission === 'rejected') this.controller.reap(flow.level);
    return admission;
  }

  /**
   * Calls `decided` once: with true when the request may execute, synchronously from whatever made room for it, or with
   * false after it has waited too long.
   * @param signal aborts when the client disconnects
   */
  wait(
    entry: FlowRequest<Flow>,
    waitMsMax: number,
    signal: AbortSignal,
    decided: (executes: boolean) => void,
  ): void {
    const { level } = entry.flow;
    const giveUp = () => level.set.giveUp(entry);
    const timer = this.#clock.after(waitMsMax, giveUp, { idle: true });
    entry.decide = (executes) => {
      timer.cancel();
      signal.removeEventListener('abort', giveUp);
      this.#noteWait(entry, executes ? 'executing' : 'waiting');
      decided(executes);
      if (!executes) this.controller.reap(level);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    level.awaited.watch();
  }

  /** @param nowMs on the monotonic clock */
  finish(entry: FlowRequest<Flow>, nowMs: number): void {
    const { flow, info } = entry;
    flow.level.set.finish(entry, nowMs);
    const tookMs = entry.finishedAtMs - entry.startedAtMs;
    flow.counts.observeExecution(tookMs / 1000, info.verb === 'watch');
    this.controller.reap(flow.level);
  }

  /** @param outcome 'waiting' if it waited in vain */
  #noteWait({ flow, arrivedAtMs, startedAtMs }: FlowRequest<Flow>, outcome: Admission): void {
    if (flow.level.isExempt) return;
    const untilMs = outcome === 'executing' ? startedAtMs : this.#clock.monotonic();
    flow.counts.observeWait((untilMs - arrivedAtMs) / 1000, outcome !== 'rejected');
  }
}
