/**
 * Counts requests in flight, so that a stopping server can wait for them. Requests that arrive meanwhile are refused
 * with advice to retry at once, since the retry will most likely reach another server.
 */
import { serviceUnavailable } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { RequestCounter } from '../lifecycle/request-counter.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import type { Filter } from './filter.ts';
import { isExempt, type StoppingServer } from './stopping-server.ts';

export const countInFlight = (counter: RequestCounter, server: StoppingServer): Filter => ({
  step: 'count-in-flight',
  handle(request, next) {
    if (server.refusesNewRequests && isRefused(request, server)) return refusal(request);
    if (request.longRunning) return next(request);
    counter.enter();
    let answer;
    try {
      answer = next(request);
    } catch (failure) {
      counter.leave();
      throw failure;
    }
    if (!(answer instanceof Promise)) {
      counter.leave();
      return answer;
    }
    return answer.finally(() => counter.leave());
  },
});

const isRefused = (request: ApiRequest, { endsWatches }: StoppingServer): boolean =>
  request.longRunning ? endsWatches && request.info.verb === 'watch' : !isExempt(request);

function refusal(request: ApiRequest): ApiResponse {
  request.responseHeaders['retry-after'] = '1';
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return errorResponse(request, serviceUnavailable('apiserver is shutting down'));
}
