/** Logs a line for each completed request that warrants one. */
import type { Clock } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { Filter } from './filter.ts';

/** A log of requests. */
export interface RequestLog {
  /** Whether every request is logged; otherwise only slow and failed ones are. */
  isEveryReported(): boolean;
  write(message: string, values: Readonly<Record<string, string | number>>): void;
}

/** Requests slower than this are logged, as upstream's traces are. */
export const slowRequestMs = 500;

/** The maximum length of an audit id in the log, since clients may choose it. */
const auditIdLengthMax = 64;

export const logRequest = (clock: Clock, log: RequestLog): Filter => {
  const finished = (request: ApiRequest, status: number) => {
    const latencyMs = (request.answeredAtMs || clock.monotonic()) - request.startedAtMs;
    const slow = latencyMs >= slowRequestMs && !request.longRunning && !isOfThisProcess(request);
    if (slow || status >= 500 || log.isEveryReported()) {
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
 * In-process components wait for each other during startup, until everything has been created. Only requests of real
 * clients show that the server is slow.
 */
const isOfThisProcess = ({ incoming }: ApiRequest): boolean => incoming.peer.protocol === 'in-process';

/** The verb names in metrics. */
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

/** Redacts tokens in the query, where some WebSocket clients send them. */
const withoutToken = (query: string): string =>
  query.includes('token') ? query.replace(/(^|&)([^=&]*token)=[^&]*/gi, '$1$2=REDACTED') : query;

/** Formats requests for a log that takes only lines. */
export const requestLines = (everyRequest: boolean, log: (line: string) => void): RequestLog => ({
  isEveryReported: () => everyRequest,
  write(message, values) {
    const texts = Object.entries(values).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    log(`"${message}"${texts.join('')}`);
  },
});
