/**
 * The page's single WebSocket, which carries numbered streams. It is opened with the first stream. When it breaks, its
 * streams fail, and their readers reopen them where they stopped.
 */

import type { TransportRequest, TransportResponse } from '@coxswain/client';
import { ChunkQueue } from './chunk-queue.ts';
import { connectionLost } from './connection-lost.ts';
import type { Reachability } from './reachability.ts';

/** The server sends something every ten seconds. */
const silentMsMax = 25_000;

type Notice =
  | { readonly opened: number; readonly status: number; readonly contentType: string }
  | { readonly ended: number; readonly failure?: string }
  | { readonly beat: true };

interface OpenStream {
  readonly chunks: ChunkQueue;
  readonly answered: PromiseWithResolvers<TransportResponse>;
}

export class StreamSocket {
  readonly #reachability: Reachability;
  readonly #streams = new Map<number, OpenStream>();
  #socket: Promise<WebSocket> | undefined;
  #lastId = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(reachability: Reachability) {
    this.#reachability = reachability;
  }

  async open({ path, headers, signal }: TransportRequest): Promise<TransportResponse> {
    signal?.throwIfAborted();
    const socket = await (this.#socket ??= this.#connect());
    const id = ++this.#lastId;
    const close = (): void => {
      if (this.#streams.delete(id) && socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ close: id }));
    };
    const stream: OpenStream = { chunks: new ChunkQueue(close), answered: Promise.withResolvers() };
    this.#streams.set(id, stream);
    signal?.addEventListener('abort', () => {
      close();
      end(stream, signal.reason);
    });
    socket.send(JSON.stringify({ open: id, path, accept: String(headers['accept'] ?? 'application/json') }));
    return stream.answered.promise;
  }

  close(): void {
    this.#socket?.then(
      (socket) => socket.close(),
      () => undefined,
    );
  }

  #connect(): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/streams`);
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('open', () => {
        this.#listened(socket);
        resolve(socket);
      });
      socket.addEventListener('message', ({ data }) => {
        this.#listened(socket);
        if (typeof data === 'string') this.#take(JSON.parse(data) as Notice);
        else this.#receive(data as ArrayBuffer);
      });
      socket.addEventListener('close', () => {
        clearTimeout(this.#silence);
        this.#socket = undefined;
        const failure = connectionLost();
        this.#reachability.lost('page');
        for (const stream of this.#streams.values()) end(stream, failure);
        this.#streams.clear();
        reject(failure);
      });
    });
  }

  /** Restarts the timer that closes the connection of a silent server, which might never close it itself. */
  #listened(socket: WebSocket): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => socket.close(), silentMsMax);
  }

  #take(notice: Notice): void {
    if ('beat' in notice) return;
    if ('opened' in notice) {
      const stream = this.#streams.get(notice.opened);
      if (stream === undefined) return;
      this.#reachability.heard();
      stream.answered.resolve(responseOf(notice, stream.chunks));
      return;
    }
    const stream = this.#streams.get(notice.ended);
    this.#streams.delete(notice.ended);
    if (stream === undefined) return;
    if (notice.failure === undefined) return stream.chunks.end();
    this.#reachability.lost('cluster');
    end(stream, new Error(notice.failure));
  }

  #receive(message: ArrayBuffer): void {
    const id = new DataView(message).getUint32(0);
    this.#streams.get(id)?.chunks.add(new Uint8Array(message, 4));
  }
}

function end({ chunks, answered }: OpenStream, failure: unknown): void {
  answered.reject(failure);
  // There may no longer be anyone waiting for the response.
  answered.promise.catch(() => undefined);
  chunks.fail(failure);
}

const responseOf = (
  { status, contentType }: { readonly status: number; readonly contentType: string },
  chunks: ChunkQueue,
): TransportResponse => ({
  status,
  headers: { 'content-type': contentType },
  stream: () => chunks,
  async bytes() {
    const all: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunks) all.push(chunk as Uint8Array<ArrayBuffer>);
    return new Uint8Array(await new Blob(all).arrayBuffer());
  },
});
