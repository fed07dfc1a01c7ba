/** With `--shutdown-send-retry-after`: new requests to a stopping server are asked to retry elsewhere. */
import { textResponse } from '../http/api-response.ts';
import type { Filter } from './filter.ts';
import { isExempt, type StoppingServer } from './stopping-server.ts';

export const retryAfter = (server: StoppingServer): Filter => ({
  step: 'retry-after',
  handle(request, next) {
    if (!server.refusesNewRequests || !server.sendsRetryAfter || isExempt(request)) return next(request);
    const headers = request.responseHeaders;
    headers['retry-after'] = '5';
    headers['connection'] = 'close';
    headers['x-content-type-options'] = 'nosniff';
    return textResponse(429, 'The apiserver is shutting down, please try again later.\n');
  },
});
