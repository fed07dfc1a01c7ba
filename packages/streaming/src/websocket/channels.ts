/**
 * Several streams over one WebSocket, as Kubernetes does it: the first byte of a message is its channel
 * (`channel.k8s.io`), or its first character, followed by base64 (`base64.channel.k8s.io`). From `v5.channel.k8s.io`
 * on, a message of 255 and a channel number closes that channel.
 */
import { Duplex } from 'node:stream';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { WebSocketConnection, type WebSocketOptions } from './websocket.ts';

export interface ChannelsOptions extends Pick<WebSocketOptions, 'socket' | 'head' | 'side'> {
  readonly protocol: string;
  /** The number of channels. Data for any other channel is dropped. */
  readonly count: number;
}

const closeSignal = 255;
const zero = 48;

/** The buffer of one channel for a slow reader; beyond it the whole connection waits. */
const unreadBytesMax = 256 * 1024;

/** The maximum payload of a message; common clients have buffers of this size. */
const sentBytesMax = 32 * 1024;

export class WebSocketChannels {
  readonly webSocket: WebSocketConnection;
  readonly channels: readonly Duplex[];
  readonly #isBase64: boolean;
  readonly #hasCloseSignal: boolean;
  readonly #isClient: boolean;
  readonly #full = new Set<Duplex>();

  constructor({ protocol, count, ...options }: ChannelsOptions) {
    this.#isBase64 = protocol.includes('base64.');
    this.#isClient = options.side === 'client';
    this.#hasCloseSignal = protocol === 'v5.channel.k8s.io';
    this.channels = Array.from({ length: count }, (_, index) => this.#channel(index));
    this.webSocket = new WebSocketConnection({ ...options, onMessage: (message) => this.#receive(message) });
    whenFulfilled(this.webSocket.closed, () => {
      for (const channel of this.channels) endReadable(channel);
    });
  }

  #channel(index: number): Duplex {
    const channel: Duplex = new Duplex({
      readableHighWaterMark: unreadBytesMax,
      read: () => {
        if (this.#full.delete(channel) && this.#full.size === 0) this.webSocket.resume();
      },
      write: (bytes: Uint8Array, _encoding, done) => {
        for (let start = 0; start === 0 || start < bytes.length; start += sentBytesMax)
          this.send(index, bytes.subarray(start, start + sentBytesMax));
        this.webSocket.whenDrained(done);
      },
      final: (done) => {
        // Servers never send it, since clients would take it for an unknown channel.
        if (this.#hasCloseSignal && this.#isClient) this.webSocket.send(Uint8Array.of(closeSignal, index));
        done();
      },
    });
    channel.on('error', () => undefined);
    return channel;
  }

  send(index: number, bytes: Uint8Array): void {
    if (this.#isBase64)
      this.webSocket.send(String.fromCharCode(zero + index) + Buffer.from(bytes).toString('base64'));
    else this.webSocket.send(Buffer.concat([Uint8Array.of(index), bytes]));
  }

  #receive(message: Uint8Array): void {
    const [first] = message;
    if (first === undefined) return;
    if (this.#hasCloseSignal && first === closeSignal) {
      const channel = message.length === 2 ? this.channels[message[1]!] : undefined;
      if (channel === undefined) this.webSocket.close();
      else endReadable(channel);
      return;
    }
    const channel = this.channels[this.#isBase64 ? first - zero : first];
    if (channel === undefined || channel.readableEnded || channel.destroyed) return;
    const rest = message.subarray(1);
    const bytes = this.#isBase64 ? Buffer.from(Buffer.from(rest).toString('latin1'), 'base64') : rest;
    if (bytes.length === 0 || ended.has(channel) || channel.push(bytes)) return;
    this.#full.add(channel);
    this.webSocket.pause();
  }
}

const ended = new WeakSet<Duplex>();

function endReadable(channel: Duplex): void {
  if (ended.has(channel) || channel.destroyed) return;
  ended.add(channel);
  channel.push(null);
}
