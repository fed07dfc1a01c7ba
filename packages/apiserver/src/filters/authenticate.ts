/** Authenticates requests; answers 401 if that fails. */
import { StatusError, type Clock } from '@coxswain/apimachinery';
import type { AuthenticationMetrics } from '../authentication/authentication-metrics.ts';
import {
  reasonText,
  type Authenticated,
  type Authentication,
  type Authenticator,
  type Refused,
} from '../authentication/authenticator.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { anonymousUser, unauthenticatedGroup } from '../user.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import { auditRefusal } from './audit.ts';
import type { Answer } from '../http/api-response.ts';
import type { Filter, Next } from './filter.ts';

export interface AuthenticateParts {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly metrics: AuthenticationMetrics;
  readonly log: (line: string) => void;
}

export const authenticate = ({ authenticator, clock, metrics, log }: AuthenticateParts): Filter => {
  const proceed = (request: ApiRequest, next: Next, found: Authentication): Answer => {
    request.authenticatedAtMs = clock.monotonic();
    const durationMs = request.authenticatedAtMs - request.startedAtMs;
    if (found.kind !== 'absent') note(request, found);
    if (found.kind === 'authenticated') {
      const { user } = found;
      request.observer?.note?.({ user: user.name, groups: user.groups, uid: user.uid, extra: user.extra });
      metrics.ended('success', durationMs, user);
      request.user = user;
      if (isAnonymous(user)) closeAfterwards(request);
      return next(request);
    }
    request.observer?.note?.({
      refused: found.kind === 'refused' ? reasonText(found.reasons) : 'no credentials that are known',
    });
    metrics.ended(found.kind === 'refused' ? 'error' : 'failure', durationMs);
    closeAfterwards(request);
    if (found.kind === 'refused') {
      log(`Unable to authenticate the request err=${JSON.stringify(reasonText(found.reasons))}`);
    }
    const refuse = () => errorResponse(request, new StatusError(401, 'Unauthorized', 'Unauthorized'));
    return request.audit === undefined ? refuse() : auditRefusal(request, refuse);
  };
  return {
    step: 'authenticate',
    handle(request, next) {
      const found = authenticator.authenticate(request);
      return found instanceof Promise
        ? found.then((later) => proceed(request, next, later))
        : proceed(request, next, found);
    },
  };
};

function note(request: ApiRequest, { annotations, warnings }: Authenticated | Refused): void {
  if (annotations !== undefined && request.audit !== undefined) {
    for (const [key, value] of Object.entries(annotations)) request.audit.annotate(key, value);
  }
  if (warnings !== undefined) for (const warning of warnings) request.warn(warning);
}

const isAnonymous = ({ name, groups }: ApiRequest['user']): boolean =>
  name === anonymousUser.name || groups.includes(unauthenticatedGroup);

/** HTTP/2 connections are expensive: unauthenticated clients get only one response per connection. */
function closeAfterwards(request: ApiRequest): void {
  if (request.incoming.peer.protocol === 'HTTP/2.0') request.responseHeaders['connection'] = 'close';
}
