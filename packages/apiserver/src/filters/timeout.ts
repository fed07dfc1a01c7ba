/** Answers 504 to a request that takes too long; its handler continues in the background. */
import type { Clock, Timer } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import { utf8, type ApiResponse, type Answer } from '../http/api-response.ts';
import type { NoteTermination } from '../metrics/termination-metrics.ts';
import type { Filter } from './filter.ts';

interface Waiting {
  readonly request: ApiRequest;
  readonly resolve: (response: ApiResponse) => void;
}

/** One timer serves all requests: one for each would cost more than most requests do. */
const sweepMs = 1000;

/** Requests with a shorter timeout get a timer of their own. */
const shortMs = 2 * sweepMs;

export function timeoutRequests(clock: Clock, noteTermination: NoteTermination): Filter {
  const timedOut = (request: ApiRequest): ApiResponse => {
    noteTermination(request, 504);
    return timedOutAnswer(request);
  };
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
  const inTime = (request: ApiRequest, answer: Promise<ApiResponse>, leftMs: number): Promise<ApiResponse> =>
    new Promise((resolve, reject) => {
      const one: Waiting = { request, resolve };
      const own = leftMs < shortMs ? clock.after(leftMs, () => resolve(timedOut(request))) : undefined;
      if (own === undefined) {
        waiting.add(one);
        schedule();
      }
      const done = () => {
        own?.cancel();
        waiting.delete(one);
      };
      answer.then(
        (response) => {
          done();
          resolve(response);
        },
        (failure: unknown) => {
          done();
          reject(failure);
        },
      );
    });
  return {
    step: 'timeout',
    handle(request, next): Answer {
      if (request.longRunning) return next(request);
      const isShort = request.deadlineMs - request.startedAtMs < shortMs;
      const leftMs = isShort ? request.deadlineMs - clock.monotonic() : shortMs;
      if (leftMs <= 0) return timedOut(request);
      const answer = next(request);
      return answer instanceof Promise ? inTime(request, answer, leftMs) : answer;
    },
  };
}

/** Upstream writes this without content negotiation. */
const timedOutBody = utf8(
  '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
);

const timedOutAnswer = ({ responseHeaders }: ApiRequest): ApiResponse => ({
  status: 504,
  headers: { ...responseHeaders, 'content-type': 'text/plain; charset=utf-8' },
  body: { kind: 'bytes', bytes: timedOutBody },
});
