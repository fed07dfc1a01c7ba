/** What filters want to send along, and the answer's own headers, which win. */
import type { ApiRequest } from './api-request.ts';
import type { ApiResponse } from './api-response.ts';

export function withFilterHeaders(request: ApiRequest, response: ApiResponse): ApiResponse {
  if (response.headers === request.responseHeaders) return response;
  return { ...response, headers: Object.assign(request.responseHeaders, response.headers) };
}
