/** Finds out who asks; who can't show it is answered 401. */
import { StatusError } from '@coxswain/apimachinery';
import type { Authentication, Authenticator } from '../authentication/authenticator.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { anonymousUser } from '../user.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import type { Answer, Filter, Next } from './filter.ts';

/** HTTP/2 connections are dear: who shows no credentials gets one answer on each. */
function closeAfterwards(request: ApiRequest): void {
  if (request.incoming.peer.protocol === 'HTTP/2.0') request.responseHeaders['connection'] = 'close';
}

export const authenticate = (authenticator: Authenticator, log: (line: string) => void): Filter => {
  const proceed = (request: ApiRequest, next: Next, found: Authentication): Answer => {
    if (found.kind === 'authenticated') {
      request.user = found.user;
      if (found.user.name === anonymousUser.name) closeAfterwards(request);
      return next(request);
    }
    closeAfterwards(request);
    if (found.kind === 'refused') log(`Unable to authenticate the request: ${found.reason}`);
    return errorResponse(request, new StatusError(401, 'Unauthorized', 'Unauthorized'));
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
