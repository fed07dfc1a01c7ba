/**
 * Bounds how many requests are worked on at once. For now by two counters, as the original does without
 * priority and fairness: one for requests that change something, one for the others. Which flow schema and
 * priority level a request belongs to is told in its answer all the same.
 */
import type { RequestInfo } from '../request-info.ts';
import { mastersGroup } from '../user.ts';
import type { UserInfo } from '../user.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { textResponse } from '../http/api-response.ts';
import type { Filter } from './filter.ts';

export interface InFlightLimits {
  /** 0: no limit. */
  readonly readOnlyMax: number;
  readonly mutatingMax: number;
}

/** `--max-requests-inflight` and `--max-mutating-requests-inflight`. */
export const inFlightDefaults: InFlightLimits = { readOnlyMax: 400, mutatingMax: 200 };

/** What a request belongs to under priority and fairness. */
export interface FlowClass {
  readonly schemaUid: string;
  readonly levelUid: string;
}

export type ClassifyFlow = (info: RequestInfo, user: UserInfo) => FlowClass | undefined;

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export const limitFairly = (limits: InFlightLimits, metrics: Metrics, classify?: ClassifyFlow): Filter => {
  const readOnly = { inFlight: 0, max: limits.readOnlyMax, gauge: metrics.inFlight('readOnly') };
  const mutating = { inFlight: 0, max: limits.mutatingMax, gauge: metrics.inFlight('mutating') };
  return {
    step: 'limit-fairly',
    handle(request, next) {
      if (classify !== undefined) tellClass(request, classify);
      if (request.longRunning) return next(request);
      const bucket = isReadOnly(request.info) ? readOnly : mutating;
      if (bucket.max > 0 && bucket.inFlight >= bucket.max && !request.user.groups.includes(mastersGroup)) {
        request.responseHeaders['retry-after'] = '1';
        return textResponse(429, 'Too many requests, please try again later.\n');
      }
      bucket.gauge.set(++bucket.inFlight);
      const leave = () => bucket.gauge.set(--bucket.inFlight);
      let answer;
      try {
        answer = next(request);
      } catch (failure) {
        leave();
        throw failure;
      }
      if (!(answer instanceof Promise)) {
        leave();
        return answer;
      }
      return answer.finally(leave);
    },
  };
};

/** Watches are told, other requests that last are not. */
function tellClass({ info, user, longRunning, responseHeaders }: ApiRequest, classify: ClassifyFlow): void {
  if (longRunning && info.verb !== 'watch') return;
  const found = classify(info, user);
  if (found === undefined) return;
  responseHeaders['x-kubernetes-pf-flowschema-uid'] = found.schemaUid;
  responseHeaders['x-kubernetes-pf-prioritylevel-uid'] = found.levelUid;
}

const isReadOnly = (info: RequestInfo): boolean => readOnlyVerbs.has(info.verb);
