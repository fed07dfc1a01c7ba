import type { Clock } from '@coxswain/apimachinery';
import type { Filter } from './filter.ts';

/** Deadlines and latencies are measured from this time. */
export const requestReceivedTime = (clock: Clock): Filter => ({
  step: 'request-received-time',
  handle(request, next) {
    request.receivedAtMs = clock.now();
    request.startedAtMs = clock.monotonic();
    return next(request);
  },
});
