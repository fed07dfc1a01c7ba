/** An internal server error as plain text, since it is not yet known whether the client accepts a Status. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { withoutMarkup } from '../authorization/forbidden.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { utf8, type ApiResponse } from '../http/api-response.ts';

export function internalErrorText(request: ApiRequest, problem: string): ApiResponse {
  const { path, query } = request.incoming;
  const uri = goQuote(query === '' ? path : `${path}?${query}`);
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  request.responseHeaders['content-type'] = 'text/plain; charset=utf-8';
  const text = withoutMarkup(`Internal Server Error: ${uri}: ${problem}`);
  return {
    status: 500,
    headers: request.responseHeaders,
    body: { kind: 'bytes', bytes: utf8(`${text}\n`) },
  };
}
