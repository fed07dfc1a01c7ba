/** The head of a response (RFC 9112, section 4). */
import type { ApiResponse, ResponseHeaders } from '../api-response.ts';
import { spellOutHeaders } from '../../header-bytes.ts';
import { httpDate } from '../http-date.ts';
import { STATUS_CODES } from '../node-http.ts';

/** How the client recognizes the end of the body. */
export type AnswerFraming = 'length' | 'chunked' | 'close';

/** A streamed response may have no length; for an HTTP/1.0 client it ends with the connection. */
export function answerFraming({ status, headers, body }: ApiResponse, isCurrent: boolean): AnswerFraming {
  if (body.kind !== 'stream' || !mayHaveBody(status) || headers['content-length'] !== undefined)
    return 'length';
  return isCurrent ? 'chunked' : 'close';
}

export const mayHaveBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;

/** What happens to the connection after the response; stated only if the client would not expect it. */
export type Afterwards = 'close' | 'keep-alive' | undefined;

/** Adds the framing to the response's headers. */
export function answerHead(
  { status, headers, body }: ApiResponse,
  framing: AnswerFraming,
  { isCurrent, afterwards }: { readonly isCurrent: boolean; readonly afterwards: Afterwards },
): Buffer {
  spellOutHeaders(headers);
  if (framing === 'length') addLength(status, headers, body);
  let text = `HTTP/1.${isCurrent ? 1 : 0} ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (const name in headers) {
    if (name !== 'connection' || afterwards === undefined) text += linesOf(name, headers[name]!);
  }
  if (headers['date'] === undefined) text += `date: ${httpDate()}\r\n`;
  if (framing === 'chunked') text += 'transfer-encoding: chunked\r\n';
  if (afterwards !== undefined) text += `connection: ${afterwards}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}

function addLength(status: number, headers: ResponseHeaders, body: ApiResponse['body']): void {
  if (!mayHaveBody(status)) return;
  if (body.kind === 'bytes') headers['content-length'] ??= String(body.bytes.length);
  else if (body.kind === 'chunks') headers['content-length'] ??= String(body.bytesTotal);
  else headers['content-length'] ??= '0';
}

const linesOf = (name: string, value: string | readonly string[]): string =>
  typeof value === 'string' ? lineOf(name, value) : value.map((one) => lineOf(name, one)).join('');

/** Prevents any value from starting another line. */
const lineOf = (name: string, value: string): string =>
  `${name}: ${endsLine.test(value) ? value.replaceAll(lineEnds, ' ') : value}\r\n`;

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const endsLine = /[\r\n\0]/;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const lineEnds = /[\r\n\0]/g;
