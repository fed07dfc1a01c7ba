/** Merges the headers that filters add with the response's own, which take precedence. */
import type { ApiRequest } from './api-request.ts';
import { emptyBody, type ApiResponse } from './api-response.ts';

export function withFilterHeaders(request: ApiRequest, response: ApiResponse): ApiResponse {
  const answer = request.method === 'HEAD' ? withoutBody(response) : response;
  if (answer.headers === request.responseHeaders) return answer;
  return { ...answer, headers: Object.assign(request.responseHeaders, answer.headers) };
}

/** Answers HEAD as GET, with the length but without the body. */
function withoutBody({ status, headers, body }: ApiResponse): ApiResponse {
  if (body.kind === 'bytes') headers['content-length'] = String(body.bytes.length);
  if (body.kind === 'chunks') headers['content-length'] = String(body.bytesTotal);
  return { status, headers, body: emptyBody };
}
