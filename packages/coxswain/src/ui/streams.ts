/**
 * Multiplexes endless responses over one WebSocket: a browser opens six connections to a server, which a page with a
 * few watches would use up. The page opens and closes streams by number in text messages; the bytes of a stream arrive
 * in binary messages, after its number in four bytes.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport } from '@coxswain/client';
import { acceptHeaders, WebSocketConnection } from '@coxswain/streaming';

/** A message from the page. */
type Wish =
  | { readonly open: number; readonly path: string; readonly accept: string }
  | { readonly close: number };

/** A message to the page. `beat` is a heartbeat when there is nothing else to send. */
type Notice =
  | { readonly opened: number; readonly status: number; readonly contentType: string }
  | { readonly ended: number; readonly failure?: string }
  | { readonly beat: true };

/** The limit for one page. */
const streamsMax = 64;

const wishBytesMax = 64 * 1024;

const beatMs = 10_000;

export function serveStreams(
  transport: Transport,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const headers = acceptHeaders(request.headers, '');
  if (headers === undefined) return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
  new Streams(transport, socket, head);
}

class Streams {
  readonly #transport: Transport;
  readonly #connection: WebSocketConnection;
  readonly #open = new Map<number, AbortController>();

  constructor(transport: Transport, socket: Duplex, head: Uint8Array) {
    this.#transport = transport;
    this.#connection = new WebSocketConnection({
      socket,
      head,
      side: 'server',
      onMessage: (message) => this.#take(message),
    });
    const beats = setInterval(() => this.#report({ beat: true }), beatMs);
    socket.once('close', () => {
      clearInterval(beats);
      for (const stream of this.#open.values()) stream.abort(new Error('the page has left'));
    });
  }

  #take(message: Uint8Array): void {
    const wish = wishIn(message);
    if (wish === undefined) return this.#connection.close();
    if ('close' in wish) return this.#open.get(wish.close)?.abort(new Error('the page has closed it'));
    if (this.#open.has(wish.open)) return this.#connection.close();
    if (this.#open.size >= streamsMax)
      return this.#report({ ended: wish.open, failure: `a page may have ${streamsMax} streams` });
    detach(this.#carry(wish.open, wish.path, wish.accept));
  }

  async #carry(id: number, path: string, accept: string): Promise<void> {
    const closing = new AbortController();
    this.#open.set(id, closing);
    try {
      const headers = { accept, 'user-agent': 'coxswain-ui' };
      const answer = await this.#transport.send({ method: 'GET', path, headers, signal: closing.signal });
      const contentType = String(answer.headers['content-type'] ?? '');
      this.#report({ opened: id, status: answer.status, contentType });
      for await (const chunk of answer.stream()) {
        if (closing.signal.aborted) break;
        this.#connection.send(numbered(id, chunk));
        await new Promise<void>((resolve) => this.#connection.whenDrained(resolve));
      }
      this.#report({ ended: id });
    } catch (failure) {
      this.#report({ ended: id, failure: messageOf(failure) });
    } finally {
      // The response may continue without being read.
      closing.abort(new Error('the stream has ended'));
      this.#open.delete(id);
    }
  }

  #report(notice: Notice): void {
    this.#connection.send(JSON.stringify(notice));
  }
}

function numbered(id: number, chunk: Uint8Array): Uint8Array {
  const message = new Uint8Array(4 + chunk.length);
  new DataView(message.buffer).setUint32(0, id);
  message.set(chunk, 4);
  return message;
}

/** Undefined for a message that our page would never send. */
function wishIn(message: Uint8Array): Wish | undefined {
  if (message.length > wishBytesMax) return undefined;
  try {
    const { open, close, path, accept } = JSON.parse(new TextDecoder().decode(message)) as Record<
      string,
      unknown
    >;
    if (isNumber(close)) return { close };
    return isNumber(open) && typeof path === 'string' && path.startsWith('/') && typeof accept === 'string'
      ? { open, path, accept }
      : undefined;
  } catch {
    return undefined;
  }
}

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32;
