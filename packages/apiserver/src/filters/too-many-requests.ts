import type { ApiRequest } from '../http/api-request.ts';
import { textResponse, type ApiResponse } from '../http/api-response.ts';

/** Refuses a request with 429 and Retry-After. */
export function tooManyRequests(request: ApiRequest, retryAfterSeconds: number): ApiResponse {
  request.responseHeaders['retry-after'] = String(retryAfterSeconds);
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(429, 'Too many requests, please try again later.\n');
}
