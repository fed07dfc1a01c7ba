/** The line in the log that a finished request leaves, for those requests that deserve one. */
import type { Clock } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { Filter } from './filter.ts';

/** Where requests are told. */
export interface RequestLog {
  /** Whether every request is told now; otherwise only slow and failed ones. */
  isEveryTold(): boolean;
  write(message: string, values: Readonly<Record<string, string | number>>): void;
}

/** Requests slower than this are told of, as the original's traces do. */
export const slowRequestMs = 500;

/** Characters of an audit id in the log; the client may have chosen it. */
const auditIdLengthMax = 64;

export const logRequest = (clock: Clock, log: RequestLog): Filter => {
  const finished = (request: ApiRequest, status: number) => {
    const latencyMs = (request.answeredAtMs || clock.monotonic()) - request.startedAtMs;
    const slow = latencyMs >= slowRequestMs && !request.longRunning && !isOfThisProcess(request);
    if (slow || status >= 500 || log.isEveryTold()) {
      log.write(slow ? 'HTTP (slow)' : 'HTTP', valuesOf(request, status, latencyMs));
    }
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

/**
 * Parts of this process that wait for each other: at a start, for everything that there is to be made. That a machine
 * is busy is told by requests of clients.
 */
const isOfThisProcess = ({ incoming }: ApiRequest): boolean => incoming.peer.protocol === 'in-process';

/** As metrics name what a request does. */
const verbs: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' };

function valuesOf(request: ApiRequest, status: number, latencyMs: number) {
  const { path, query, peer } = request.incoming;
  return {
    verb: verbs[request.info.verb] ?? request.info.verb.toUpperCase(),
    URI: query === '' ? path : `${path}?${withoutToken(query)}`,
    latency: `${latencyMs.toFixed(3)}ms`,
    userAgent: request.header('user-agent') ?? '',
    'audit-ID': request.auditId.slice(0, auditIdLengthMax),
    srcIP: peer.address,
    resp: status,
  };
}

/** A token in the query, as some clients of WebSockets send it, is nobody else's business. */
const withoutToken = (query: string): string =>
  query.includes('token') ? query.replace(/(^|&)([^=&]*token)=[^&]*/gi, '$1$2=REDACTED') : query;

/** Requests as lines of a log that takes nothing but lines. */
export const requestLines = (everyRequest: boolean, log: (line: string) => void): RequestLog => ({
  isEveryTold: () => everyRequest,
  write(message, values) {
    const texts = Object.entries(values).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    log(`"${message}"${texts.join('')}`);
  },
});
