/** Limits concurrent requests: by priority and fairness, or by two counters where that is disabled. */
import type { Clock } from '@coxswain/apimachinery';
import type { FlowControl } from '../flow-control/flow-control.ts';
import { RequestsInProgress } from '../flow-control/requests-in-progress.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { terminationCounter } from '../metrics/termination-metrics.ts';
import type { Filter } from './filter.ts';
import { maxInFlight, type InFlightLimits } from './max-in-flight.ts';
import { priorityAndFairness } from './priority-and-fairness.ts';

export interface FairnessParts {
  readonly limits: InFlightLimits;
  readonly flowControl?: FlowControl | undefined;
  /** The timeout of requests that are not long-running. */
  readonly requestTimeoutMs: number;
}

export const limitFairly = (
  { limits, flowControl, requestTimeoutMs }: FairnessParts,
  clock: Clock,
  metrics: Metrics,
): Filter =>
  flowControl === undefined
    ? maxInFlight(limits, new RequestsInProgress(clock, metrics), clock, terminationCounter(metrics))
    : priorityAndFairness(flowControl, clock, requestTimeoutMs);
