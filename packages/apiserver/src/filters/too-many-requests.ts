import type { ApiRequest } from '../http/api-request.ts';
import { textResponse, type ApiResponse } from '../http/api-response.ts';

/** Refuses a request that came at a bad time, and says when to come again. */
export function tooManyRequests(request: ApiRequest, retryAfterSeconds: number): ApiResponse {
  request.responseHeaders['retry-after'] = String(retryAfterSeconds);
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(429, 'Too many requests, please try again later.\n');
}
