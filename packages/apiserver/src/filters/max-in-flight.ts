/**
 * Limits concurrent requests by two counters, one for mutating requests and one for the others, as upstream does
 * without priority and fairness.
 */
import type { NoteTermination } from '../metrics/termination-metrics.ts';
import { requestKind, type RequestsInProgress } from '../flow-control/requests-in-progress.ts';
import { mastersGroup } from '../user.ts';
import type { Filter } from './filter.ts';
import type { Clock } from '@coxswain/apimachinery';
import { tooManyRequests } from './too-many-requests.ts';
import { whileServed } from './while-served.ts';

export interface InFlightLimits {
  /** 0 for no limit. */
  readonly readOnlyMax: number;
  readonly mutatingMax: number;
}

/** `--max-requests-inflight` and `--max-mutating-requests-inflight`. */
export const inFlightDefaults: InFlightLimits = { readOnlyMax: 400, mutatingMax: 200 };

const retryAfterSeconds = 1;

export function maxInFlight(
  limits: InFlightLimits,
  inProgress: RequestsInProgress,
  clock: Clock,
  noteTermination: NoteTermination,
): Filter {
  const { readOnlyMax, mutatingMax } = limits;
  const { readOnly, mutating } = inProgress.executing;
  readOnly.relateTo(readOnlyMax);
  mutating.relateTo(mutatingMax);
  return {
    step: 'max-in-flight',
    handle(request, next) {
      if (request.longRunning) return next(request);
      const isReadOnly = requestKind(request.info.verb) === 'readOnly';
      const count = isReadOnly ? readOnly : mutating;
      const max = isReadOnly ? readOnlyMax : mutatingMax;
      if (max <= 0) return next(request);
      if (count.now >= max) {
        // A superuser may also repair an overloaded server, so such requests don't count.
        if (request.user.groups.includes(mastersGroup)) return next(request);
        noteTermination(request, 429);
        return tooManyRequests(request, retryAfterSeconds);
      }
      count.change(1, clock.monotonic());
      const leave = () => count.change(-1, clock.monotonic());
      return whileServed(request, next, leave);
    },
  };
}
