/** What filters want to send along, and the answer's own headers, which win. */
import type { ApiRequest } from './api-request.ts';
import { emptyBody, type ApiResponse } from './api-response.ts';

export function withFilterHeaders(request: ApiRequest, response: ApiResponse): ApiResponse {
  const answer = request.method === 'HEAD' ? withoutBody(response) : response;
  if (answer.headers === request.responseHeaders) return answer;
  return { ...answer, headers: Object.assign(request.responseHeaders, answer.headers) };
}

/** HEAD is answered as GET would be, with its length and nothing else. */
function withoutBody({ status, headers, body }: ApiResponse): ApiResponse {
  if (body.kind === 'bytes') headers['content-length'] = String(body.bytes.length);
  if (body.kind === 'chunks') headers['content-length'] = String(body.bytesTotal);
  return { status, headers, body: emptyBody };
}
