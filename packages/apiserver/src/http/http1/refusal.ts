/** A request that can't be read, in the words of Go's `net/http`. The connection ends with the answer. */
import { STATUS_CODES } from '../node-http.ts';

export class RequestRefusal extends Error {
  readonly status: number;
  /** All that is sent. */
  readonly answer: string;

  /** @param detail told behind the status, in both places */
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
