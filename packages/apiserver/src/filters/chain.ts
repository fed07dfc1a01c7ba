/**
 * The filter chain of every request, outermost first, in upstream's order. Each filter is one file of this directory; the
 * last one calls the handler.
 *
 * Two of upstream's filters have no file: its latency trackers are the step observer here, and the goroutine that it
 * starts to save stack has no counterpart.
 */
import type { StepObserver } from '@coxswain/apimachinery';
import type { Auditing } from '../audit/audit-context.ts';
import { AuthenticationMetrics } from '../authentication/authentication-metrics.ts';
import { AuthorizationMetrics } from '../authorization/authorization-metrics.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { FlowControl } from '../flow-control/flow-control.ts';
import type { RequestCounter } from '../lifecycle/request-counter.ts';
import type { ServerServices } from '../services/services.ts';
import { audit } from './audit.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { cacheControl } from './cache-control.ts';
import { cors } from './cors.ts';
import { countInFlight } from './count-in-flight.ts';
import type { Filter } from './filter.ts';
import { goaway } from './goaway.ts';
import { impersonate } from './impersonate.ts';
import { initAudit } from './init-audit.ts';
import { limitFairly } from './limit-fairly.ts';
import { terminationCounter } from '../metrics/termination-metrics.ts';
import { logRequest, requestLines, type RequestLog } from './log-request.ts';
import type { InFlightLimits } from './max-in-flight.ts';
import { pathsInstalled } from './paths-installed.ts';
import { recoverPanics } from './recover-panics.ts';
import { requestDeadline } from './request-deadline.ts';
import { requestInfo } from './request-info.ts';
import { requestReceivedTime } from './request-received-time.ts';
import { retryAfter } from './retry-after.ts';
import { traceRequest } from './trace-request.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { StoppingServer } from './stopping-server.ts';
import { strictTransportSecurity } from './strict-transport-security.ts';
import { timeoutRequests } from './timeout.ts';
import { warningRecorder } from './warning-recorder.ts';

export interface ChainParts {
  readonly services: ServerServices;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Whether constrained impersonation is enabled; true if unset. */
  readonly constrainsImpersonation?: boolean;
  /** Auditing is disabled if unset. */
  readonly auditing?: Auditing | undefined;
  readonly limits: InFlightLimits;
  /** Priority and fairness; without it only `limits` bounds the number of concurrent requests. */
  readonly flowControl?: FlowControl | undefined;
  /** The timeout of requests that are not long-running. */
  readonly requestTimeoutMs: number;
  readonly allowedOrigins: readonly RegExp[];
  readonly transportSecurityDirectives: readonly string[];
  readonly logEveryRequest: boolean;
  /** Receives requests as values; if unset each request is a line of the log. */
  readonly requestLog?: RequestLog | undefined;
  /** Observes the steps of requests. */
  readonly observer?: StepObserver | undefined;
  /** Tracing is disabled if unset. */
  readonly tracer?: Tracer | undefined;
  readonly stopping: StoppingServer;
  readonly inFlight: RequestCounter;
  /** False while the server is still adding paths; always true if unset. */
  readonly arePathsInstalled?: () => boolean;
  /** `--goaway-chance`. */
  readonly goawayChance?: number;
  /** The innermost filter, supplied by an embedding program. */
  readonly extraFilter?: Filter | undefined;
  /** Filters that observe or disturb requests; none if unset. */
  readonly guests?: GuestFilters | undefined;
}

/** Filters that a test inserts into the chain. */
export interface GuestFilters {
  /** Sees every request, including refused ones; the user is known only after the next filter has returned. */
  readonly outermost: Filter;
  /** Sees requests right before they are handled. */
  readonly innermost: Filter;
}

/**
 * @throws TypeError for a missing filter: without it no request would be answered, and the server would never become
 * ready
 */
function guest({ guests }: ChainParts, place: keyof GuestFilters): readonly Filter[] {
  if (guests === undefined) return [];
  const filter = guests[place] as Filter | undefined;
  if (typeof filter?.handle !== 'function') throw new TypeError(`guests must have a filter ${place}`);
  return [filter];
}

export const filterChain = (parts: ChainParts): readonly Filter[] => {
  const { clock, log, newUid, metrics } = parts.services;
  return [
    initAudit(newUid, parts.auditing),
    recoverPanics(log),
    pathsInstalled(parts.arePathsInstalled ?? (() => true)),
    requestReceivedTime(clock),
    requestInfo,
    ...guest(parts, 'outermost'),
    logRequest(clock, parts.requestLog ?? requestLines(parts.logEveryRequest, log)),
    retryAfter(parts.stopping),
    strictTransportSecurity(parts.transportSecurityDirectives),
    cacheControl,
    goaway(parts.goawayChance ?? 0, parts.services.random),
    countInFlight(parts.inFlight, parts.stopping),
    requestDeadline(parts.requestTimeoutMs),
    timeoutRequests(clock, terminationCounter(metrics)),
    warningRecorder,
    cors(parts.allowedOrigins),
    authenticate({
      authenticator: parts.authenticator,
      clock,
      metrics: new AuthenticationMetrics(metrics),
      log,
    }),
    ...(parts.tracer === undefined ? [] : [traceRequest(parts.tracer)]),
    audit,
    impersonate(parts.authorizer, parts.constrainsImpersonation ?? true),
    limitFairly(parts, clock, metrics),
    authorize(parts.authorizer, new AuthorizationMetrics(metrics), clock),
    ...(parts.extraFilter === undefined ? [] : [parts.extraFilter]),
    ...guest(parts, 'innermost'),
  ];
};
