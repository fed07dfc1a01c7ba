/** For filters that hold a resource while a request is served. */
import type { ApiRequest } from '../http/api-request.ts';
import type { Answer } from '../http/api-response.ts';
import type { Next } from './filter.ts';

/** Calls `leave` once, after the response or a failure. */
export function whileServed(request: ApiRequest, next: Next, leave: () => void): Answer {
  let answer;
  try {
    answer = next(request);
  } catch (failure) {
    leave();
    throw failure;
  }
  if (answer instanceof Promise) return answer.finally(leave);
  leave();
  return answer;
}
