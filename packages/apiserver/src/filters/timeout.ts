/** Answers 504 to a request that takes too long; what it began goes on behind it. */
import type { Clock, Timer } from '@coxswain/apimachinery';
import { timeout as timeoutError } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import type { Filter } from './filter.ts';

interface Waiting {
  readonly request: ApiRequest;
  readonly resolve: (response: ApiResponse) => void;
}

/** One timer looks after all requests: one for each would cost more than most requests do. */
const sweepMs = 1000;

export function timeoutRequests(clock: Clock): Filter {
  const waiting = new Set<Waiting>();
  let timer: Timer | undefined;
  const sweep = () => {
    timer = undefined;
    const nowMs = clock.monotonic();
    for (const one of waiting) {
      if (one.request.deadlineMs > nowMs) continue;
      waiting.delete(one);
      one.resolve(timedOut(one.request));
    }
    schedule();
  };
  const schedule = () => {
    if (timer === undefined && waiting.size > 0) timer = clock.after(sweepMs, sweep, { idle: true });
  };
  return {
    step: 'timeout',
    handle(request, next) {
      const answer = next(request);
      if (request.longRunning || !(answer instanceof Promise)) return answer;
      return new Promise((resolve, reject) => {
        const one: Waiting = { request, resolve };
        waiting.add(one);
        schedule();
        answer.then(
          (response) => {
            waiting.delete(one);
            resolve(response);
          },
          (failure: unknown) => {
            waiting.delete(one);
            reject(failure);
          },
        );
      });
    },
  };
}

const timedOut = (request: ApiRequest): ApiResponse =>
  errorResponse(request, timeoutError('request did not complete within the allotted timeout'));
