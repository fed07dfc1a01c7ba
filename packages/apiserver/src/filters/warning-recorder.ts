/** Sends the warnings that handlers and admission recorded, each once, within the original's bounds. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { Filter } from './filter.ts';

/** Bytes of warning texts in one answer; beyond it each is cut, and then left out. */
const warningBytesMax = 4 * 1024;
const cutWarningLength = 256;

export const warningRecorder: Filter = {
  step: 'warning-recorder',
  handle(request, next) {
    const answer = next(request);
    if (!(answer instanceof Promise)) return withWarnings(request, answer);
    return answer.then((response) => withWarnings(request, response));
  },
};

function withWarnings(request: ApiRequest, response: ApiResponse): ApiResponse {
  if (request.warnings.length > 0) response.headers['warning'] = warningHeaders(request.warnings);
  return response;
}

/** RFC 7234's form, with the code for "miscellaneous persistent warning". */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  let bytesLeft = warningBytesMax;
  const total = warnings.reduce((sum, text) => sum + text.length, 0);
  const headers: string[] = [];
  for (const warning of warnings) {
    const text =
      total > warningBytesMax && warning.length > cutWarningLength
        ? warning.slice(0, cutWarningLength)
        : warning;
    bytesLeft -= text.length;
    if (bytesLeft < 0) break;
    headers.push(`299 - "${quotedText(text)}"`);
  }
  return headers;
}

// oxlint-disable-next-line no-control-regex -- header values may not contain control characters
const quotedText = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/[\\"]/g, '\\$&');
