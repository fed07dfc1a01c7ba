/**
 * Turns an exception of a handler into a 500 and a line in the log, so that it never costs the connection or the
 * server.
 */
import { textResponse, type ApiResponse } from '../http/api-response.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Filter } from './filter.ts';

export const recoverPanics = (log: (line: string) => void): Filter => {
  const recovered = (request: ApiRequest, failure: unknown): ApiResponse => {
    const detail = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
    log(
      `apiserver panic'd method=${request.method} URI=${request.incoming.path} auditID=${request.auditId}\n${detail}`,
    );
    request.responseHeaders['x-content-type-options'] = 'nosniff';
    return textResponse(500, 'This request caused apiserver to panic. Look in the logs for details.\n');
  };
  return {
    step: 'recover-panics',
    handle(request, next) {
      try {
        const answer = next(request);
        return answer instanceof Promise
          ? answer.catch((failure: unknown) => recovered(request, failure))
          : answer;
      } catch (failure) {
        return recovered(request, failure);
      }
    },
  };
};
