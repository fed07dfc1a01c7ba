/** The response to a malformed request, in the words of Go's `net/http`. The connection ends with it. */
import { STATUS_CODES } from '../node-http.ts';

export class RequestRefusal extends Error {
  readonly status: number;
  /** The complete response. */
  readonly answer: string;

  /** @param detail added after the status in both the status line and the body */
  constructor(status: number, detail = '', body?: string) {
    const line = `${status} ${STATUS_CODES[status]}${detail === '' ? '' : `: ${detail}`}`;
    super(detail === '' ? line : detail);
    this.status = status;
    this.answer = `HTTP/1.1 ${line}\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n${body ?? line}`;
  }
}

export const badRequest = (detail = ''): RequestRefusal => new RequestRefusal(400, detail);

export const headTooLarge = (): RequestRefusal => new RequestRefusal(431);

export const unknownTransferCoding = (): RequestRefusal =>
  new RequestRefusal(501, '', 'Unsupported transfer encoding');
