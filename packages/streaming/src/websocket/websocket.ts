/**
 * A WebSocket over a connection that has been upgraded already, of either side: the one place that knows the
 * library `ws`, of which it takes the framing (RFC 6455, without extensions).
 */
import type { Duplex } from 'node:stream';
import { systemClock } from '@coxswain/apimachinery';
import { Receiver, Sender } from 'ws';
import { whenDrained } from '../when-drained.ts';

export interface WebSocketOptions {
  readonly socket: Duplex;
  /** What came on the socket before it was handed over. */
  readonly head?: Uint8Array;
  readonly side: 'client' | 'server';
  onMessage?(message: Uint8Array): void;
}

/** One message; the bound of the original's library. */
export const messageBytesMax = 32 * 1024 * 1024;

/** How long the other end may take to say good-bye too before the connection is cut. */
const closeMsMax = 2000;

const normalClosure = 1000;

export class WebSocketConnection {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #sender: Sender;
  readonly #mask: boolean;
  #isClosing = false;

  constructor({ socket, head, side, onMessage }: WebSocketOptions) {
    this.#socket = socket;
    this.#mask = side === 'client';
    this.#sender = new Sender(socket);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    const receiver = new Receiver({ isServer: side === 'server', maxPayload: messageBytesMax });
    receiver.on('message', (message: Uint8Array) => onMessage?.(message));
    receiver.on('ping', (data: Uint8Array) => this.#writable(() => this.#sender.pong(data, this.#mask)));
    receiver.on('conclude', () => {
      this.close();
      socket.end();
    });
    receiver.on('error', () => socket.destroy());
    if (head !== undefined && head.length > 0) socket.unshift(head);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('data', (chunk: Uint8Array) => {
      if (!receiver.write(chunk)) socket.pause();
    });
    receiver.on('drain', () => socket.resume());
  }

  send(message: Uint8Array | string): void {
    const binary = typeof message !== 'string';
    this.#writable(() =>
      this.#sender.send(message, { binary, mask: this.#mask, compress: false, fin: true }),
    );
  }

  ping(): void {
    this.#writable(() => this.#sender.ping(new Uint8Array(0), this.#mask));
  }

  /** Calls back when the connection takes more, or is gone. */
  whenDrained(go: () => void): void {
    const socket = this.#socket;
    if (socket.destroyed || !socket.writableNeedDrain) return go();
    whenDrained(socket, go);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Says good-bye once; the connection ends when the other end has answered, or did not in time. */
  close(): void {
    if (this.#isClosing) return;
    this.#writable(() => this.#sender.close(normalClosure, '', this.#mask));
    this.#isClosing = true;
    const cut = systemClock.after(closeMsMax, () => this.#socket.destroy(), { idle: true });
    this.#socket.once('close', () => cut.cancel());
  }

  #writable(write: () => void): void {
    if (!this.#isClosing && !this.#socket.destroyed && !this.#socket.writableEnded) write();
  }
}
