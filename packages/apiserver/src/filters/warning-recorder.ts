/** Sends the warnings that handlers and admission recorded, without duplicates and within upstream's limits. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { Filter } from './filter.ts';

/** The maximum characters of warnings in one response; beyond it each is truncated, then omitted. */
const warningCharactersMax = 4 * 1024;
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
  if (request.warnings.length === 0) return response;
  const headers = warningHeaders(request.warnings);
  if (headers.length > 0) response.headers['warning'] = headers;
  return response;
}

/** RFC 7234's form, with the code for "miscellaneous persistent warning". */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  // A text that headers cannot carry is not sent; fuzzers produce such.
  const characters = warnings.filter((text) => !hasControl(text)).map((text) => [...text]);
  const total = characters.reduce((sum, text) => sum + text.length, 0);
  const isCut = total > warningCharactersMax;
  let written = 0;
  const headers: string[] = [];
  for (const text of characters) {
    if (isCut && written >= warningCharactersMax) break;
    const sent = isCut ? text.slice(0, cutWarningLength) : text;
    written += sent.length;
    headers.push(`299 - "${sent.join('').replace(/[\\"]/g, '\\$&')}"`);
  }
  return headers;
}

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text) || !text.isWellFormed();
