/** Authorizes requests; answers 403 with the missing permission if denied. */
import type { Clock } from '@coxswain/apimachinery';
import type { AuthorizationMetrics } from '../authorization/authorization-metrics.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.ts';
import { forbiddenError } from '../authorization/forbidden.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse, Answer } from '../http/api-response.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import { internalErrorText } from '../negotiation/internal-error.ts';
import type { Filter, Next } from './filter.ts';
import { timed } from '../audit/request-latencies.ts';

/**
 * Reading the clock costs more than most decisions: of synchronous ones only every 16th is timed, and the others are
 * recorded with its duration.
 */
const decisionsPerTiming = 16;

/** @param metrics counts decisions and records their durations as measured by `clock` */
export function authorize(authorizer: Authorizer, metrics: AuthorizationMetrics, clock: Clock): Filter {
  let untilTimed = 0;
  let durationMs = 0;
  return {
    step: 'authorize',
    handle(request, next) {
      const attributes = attributesOf(request);
      const isTimed = untilTimed-- <= 0;
      const startMs = isTimed ? clock.monotonic() : 0;
      const decision = authorizer.decide(attributes);
      if (decision instanceof Promise) {
        const askedMs = isTimed ? startMs : clock.monotonic();
        const reported = decision.then((later) => {
          metrics.ended(later, clock.monotonic() - askedMs);
          return later;
        });
        return decided(request, next, attributes, reported);
      }
      if (isTimed) {
        untilTimed = decisionsPerTiming - 1;
        durationMs = clock.monotonic() - startMs;
      }
      metrics.ended(decision, durationMs);
      return proceed(request, next, attributes, decision);
    },
  };
}

/** The decision is asynchronous; its duration is added to the audit event. */
async function decided(
  request: ApiRequest,
  next: Next,
  attributes: AuthorizationAttributes,
  decision: Promise<Decision>,
): Promise<ApiResponse> {
  const later = await timed(request.audit, 'authorization', () => decision);
  return proceed(request, next, attributes, later);
}

function proceed(
  request: ApiRequest,
  next: Next,
  attributes: AuthorizationAttributes,
  decision: Decision,
): Answer {
  request.audit?.noteDecision(decision);
  request.observer?.note?.({ verdict: decision.kind, reason: decision.reason });
  if (decision.kind === 'allow') return next(request);
  if (decision.problem !== undefined) return internalErrorText(request, decision.problem);
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return errorResponse(request, forbiddenError(attributes, decision.reason));
}

const selectorVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

export function attributesOf(request: ApiRequest): AuthorizationAttributes {
  const { info, user, observer } = request;
  const withSelectors = selectorVerbs.has(info.verb) && request.incoming.query.includes('Selector=');
  return {
    user,
    verb: info.verb,
    namespace: info.namespace,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    isResourceRequest: info.isResourceRequest,
    path: info.path,
    observer,
    ...(withSelectors
      ? {
          fieldSelector: request.parameters.get('fieldSelector') ?? '',
          labelSelector: request.parameters.get('labelSelector') ?? '',
        }
      : undefined),
  };
}
