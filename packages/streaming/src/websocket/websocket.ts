/**
 * A WebSocket over a connection that was already upgraded, for either side. The only module that uses the library `ws`,
 * for its framing (RFC 6455, without extensions).
 */
import type { Duplex } from 'node:stream';
import { systemClock } from '@coxswain/apimachinery';
import { Receiver, Sender } from 'ws';
import { whenDrained } from '../when-drained.ts';

export interface WebSocketOptions {
  readonly socket: Duplex;
  /** Data that arrived on the socket before it was handed over. */
  readonly head?: Uint8Array;
  readonly side: 'client' | 'server';
  onMessage?(message: Uint8Array): void;
}

/** The maximum size of a message, that of upstream's library. */
export const messageBytesMax = 32 * 1024 * 1024;

/** How long the peer may take to reply to a close frame before the connection is cut. */
const closeMsMax = 2000;

const normalClosure = 1000;

export class WebSocketConnection {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #sender: Sender;
  readonly #mask: boolean;
  #isClosing = false;
  /** The data of the last ping that waits for the peer to read what was sent before. */
  #pinged: Uint8Array | undefined;

  constructor({ socket, head, side, onMessage }: WebSocketOptions) {
    this.#socket = socket;
    this.#mask = side === 'client';
    this.#sender = new Sender(socket);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    const receiver = new Receiver({ isServer: side === 'server', maxPayload: messageBytesMax });
    receiver.on('message', (message: Uint8Array) => onMessage?.(message));
    receiver.on('ping', (data: Uint8Array) => this.#pong(data));
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

  /** Calls back when the connection accepts more data, or is gone. */
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

  /** Sends a close frame once; the connection ends when the peer has replied, or after a time-out. */
  close(): void {
    if (this.#isClosing) return;
    this.#writable(() => this.#sender.close(normalClosure, '', this.#mask));
    this.#isClosing = true;
    const cut = systemClock.after(closeMsMax, () => this.#socket.destroy(), { idle: true });
    this.#socket.once('close', () => cut.cancel());
  }

  /** A peer that does not read gets one pong for all its pings (RFC 6455, section 5.5.3). */
  #pong(data: Uint8Array): void {
    const isWaiting = this.#pinged !== undefined;
    this.#pinged = data;
    if (isWaiting) return;
    this.whenDrained(() => {
      const pinged = this.#pinged!;
      this.#pinged = undefined;
      this.#writable(() => this.#sender.pong(pinged, this.#mask));
    });
  }

  #writable(write: () => void): void {
    if (!this.#isClosing && !this.#socket.destroyed && !this.#socket.writableEnded) write();
  }
}
