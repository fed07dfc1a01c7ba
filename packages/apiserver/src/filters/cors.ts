/** CORS for the origins that `--cors-allowed-origins` lists. */
import type { Filter } from './filter.ts';
import { emptyBody } from '../http/api-response.ts';

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const requestHeaders =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

export const cors = (allowedOrigins: readonly RegExp[]): Filter => ({
  step: 'cors',
  handle(request, next) {
    if (allowedOrigins.length === 0) return next(request);
    const origin = request.header('origin');
    if (origin === undefined || !allowedOrigins.some((allowed) => allowed.test(origin))) return next(request);
    const headers = request.responseHeaders;
    headers['access-control-allow-origin'] = origin;
    headers['access-control-allow-methods'] = methods;
    headers['access-control-allow-headers'] = requestHeaders;
    headers['access-control-expose-headers'] = 'Date';
    headers['access-control-allow-credentials'] = 'true';
    if (request.method === 'OPTIONS') return { status: 204, headers, body: emptyBody };
    return next(request);
  },
});
