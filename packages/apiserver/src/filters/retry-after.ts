/** While the server stops: new requests are sent elsewhere, once listeners close. */
import { textResponse } from '../http/api-response.ts';
import type { Filter } from './filter.ts';

export interface StoppingServer {
  /** Whether new requests are refused by now. */
  readonly refusesNewRequests: boolean;
}

export const retryAfter = (server: StoppingServer): Filter => ({
  step: 'retry-after',
  handle(request, next) {
    if (
      !server.refusesNewRequests ||
      request.info.path.startsWith('/livez') ||
      request.info.path.startsWith('/healthz')
    ) {
      return next(request);
    }
    request.responseHeaders['retry-after'] = '5';
    if (request.incoming.peer.protocol === 'HTTP/1.1') request.responseHeaders['connection'] = 'close';
    return textResponse(429, 'The apiserver is shutting down, please try again later.\n');
  },
});
