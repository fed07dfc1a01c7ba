/**
 * Requests of HTTP/1.1 whose method Node's parser does not know. It gives up on them with the bytes in hand;
 * these are read here, so that such a request takes the way of every other and is refused with the same words.
 */
import { STATUS_CODES } from './node-http.ts';
import type { Duplex } from 'node:stream';
import type { IncomingRequest, Peer, RequestHeaders } from './api-request.ts';
import type { ApiResponse } from './api-response.ts';
import { noBody } from './request-body.ts';

/** What Node's parser reports with `clientError`. */
export interface ParserFailure extends Error {
  readonly code?: string;
  /** What it had before it when it gave up. */
  readonly rawPacket?: Uint8Array;
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/\S*) HTTP\/1\.1$/;

/** Undefined when it is not the method that the parser stumbled over, or when the head did not come in one piece. */
export function requestOfUnknownMethod(failure: ParserFailure, peer: Peer): IncomingRequest | undefined {
  if (failure.code !== 'HPE_INVALID_METHOD' || failure.rawPacket === undefined) return undefined;
  const text = new TextDecoder('latin1').decode(failure.rawPacket);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const [, method, target] = requestLine.exec(first!) ?? [];
  const headers = headersOf(lines);
  if (method === undefined || target === undefined || headers === undefined) return undefined;
  const mark = target.indexOf('?');
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    rawHeaders: lines.flatMap((line) => [line.slice(0, line.indexOf(':')), valueIn(line)]),
    // What follows the head is never read: the connection ends with the answer.
    body: noBody,
    peer,
    structured: false,
    signal: () => new AbortController().signal,
  };
}

const valueIn = (line: string): string => line.slice(line.indexOf(':') + 1).replace(/^[ \t]+|[ \t]+$/g, '');

function headersOf(lines: readonly string[]): RequestHeaders | undefined {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

/** Writes the answer past Node's own HTTP, which has let go of the connection, and ends it. */
export function answerUnknownMethod(
  socket: Duplex,
  { status, headers, body }: ApiResponse,
  nowMs: number,
): void {
  const bytes = body.kind === 'bytes' ? body.bytes : new Uint8Array();
  const lines = Object.entries({
    ...headers,
    date: new Date(nowMs).toUTCString(),
    'content-length': String(bytes.length),
    connection: 'close',
  }).flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${String(value)}\r\n`));
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
  socket.end(bytes);
}
