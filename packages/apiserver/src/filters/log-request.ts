/** The line in the log that a finished request leaves, for those requests that deserve one. */
import type { Clock } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { Filter } from './filter.ts';

export interface HttpLog {
  /** Whether every request is logged; otherwise only slow and failed ones. */
  readonly everyRequest: boolean;
  readonly log: (line: string) => void;
}

/** Requests slower than this are told of, as the original's traces do. */
export const slowRequestMs = 500;

export const logRequest = (clock: Clock, { everyRequest, log }: HttpLog): Filter => {
  const finished = (request: ApiRequest, status: number) => {
    const latencyMs = clock.monotonic() - request.startedAtMs;
    const slow = latencyMs >= slowRequestMs && !request.longRunning;
    if (everyRequest || slow || status >= 500) log(lineOf(request, status, latencyMs, slow));
  };
  return {
    step: 'log-request',
    handle(request, next) {
      const answer = next(request);
      if (!(answer instanceof Promise)) {
        finished(request, answer.status);
        return answer;
      }
      return answer.then((response) => {
        finished(request, response.status);
        return response;
      });
    },
  };
};

function lineOf(request: ApiRequest, status: number, latencyMs: number, slow: boolean): string {
  const { path, query, peer } = request.incoming;
  const uri = query === '' ? path : `${path}?${query}`;
  return (
    `"${slow ? 'HTTP (slow)' : 'HTTP'}" verb="${request.info.verb.toUpperCase()}" URI=${JSON.stringify(uri)} ` +
    `latency="${latencyMs.toFixed(3)}ms" userAgent=${JSON.stringify(request.header('user-agent') ?? '')} ` +
    `audit-ID="${request.auditId}" srcIP="${peer.address}" resp=${status}`
  );
}
