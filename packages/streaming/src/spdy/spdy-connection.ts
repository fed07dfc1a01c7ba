/**
 * A SPDY/3.1 connection as Kubernetes uses it: streams are opened by the client, window updates are neither sent nor
 * honoured (as upstream), and flow control is left to TCP.
 */
import type { Duplex } from 'node:stream';
import { whenDrained } from '../when-drained.ts';
import { dataFrameBytesMax, encodeFrame, resetStatus, type Frame, type SpdyHeaders } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { HeaderDeflater } from './header-compression.ts';
import { SpdyStream, type StreamOwner } from './spdy-stream.ts';

export interface SpdyConnectionOptions {
  readonly socket: Duplex;
  /** Data that arrived on the socket before it was handed over. */
  readonly head?: Uint8Array;
  readonly side: 'client' | 'server';
  /** A stream opened by the peer; return false to refuse it. */
  readonly onStream?: (stream: SpdyStream) => boolean;
}

/** The maximum number of open streams; further ones are refused. */
export const streamsMax = 4096;

/** The replies that may wait for a peer that does not read. Beyond it, nothing is read from the peer either. */
const repliesUnreadMax = 1024;

const lostText = 'the connection was lost';

export class SpdyConnection {
  /** Resolves when the connection has ended for any reason. */
  readonly closed: Promise<void>;
  readonly #socket: Duplex;
  readonly #reader = new FrameReader();
  readonly #deflater = new HeaderDeflater();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #opening = new Map<number, PromiseWithResolvers<SpdyStream>>();
  /** Streams with slow readers. While there are any, nothing is read from the socket. */
  readonly #full = new Set<SpdyStream>();
  /** Replies to frames of the peer since its last reading made room. */
  #repliesUnread = 0;
  readonly #onStream: (stream: SpdyStream) => boolean;
  readonly #owner: StreamOwner;
  #nextId: number;
  #lastReceivedId = 0;
  #wentAway = false;

  constructor({ socket, head, side, onStream = () => false }: SpdyConnectionOptions) {
    this.#socket = socket;
    this.#onStream = onStream;
    this.#nextId = side === 'client' ? 1 : 2;
    this.#owner = this.#ownerOfStreams();
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#cutOff();
        resolve();
      });
    });
    if (head !== undefined && head.length > 0) socket.unshift(head);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('data', (chunk: Uint8Array) => this.#receive(chunk));
  }

  /** Resolves when the peer has accepted the stream. @throws Error if the peer refuses it or is gone */
  open(headers: SpdyHeaders): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    if (this.#socket.destroyed || this.#wentAway) return Promise.reject(new Error(lostText));
    const stream = new SpdyStream(id, headers, this.#owner);
    this.#streams.set(id, stream);
    const opening = Promise.withResolvers<SpdyStream>();
    this.#opening.set(id, opening);
    this.#send({ kind: 'synStream', streamId: id, headers, fin: false });
    return opening.promise;
  }

  /** Sends a goodbye; the connection ends after everything written has been sent. */
  close(): void {
    if (this.#wentAway || this.#socket.destroyed) return;
    this.#wentAway = true;
    this.#send({ kind: 'goAway', lastStreamId: this.#lastReceivedId, status: 0 });
    this.#socket.end();
  }

  #receive(chunk: Uint8Array): void {
    try {
      for (const frame of this.#reader.push(chunk)) this.#take(frame);
    } catch (failure) {
      this.#socket.destroy(failure as Error);
    }
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case 'synStream':
        this.#opened(frame.streamId, frame.headers, frame.fin);
        break;
      case 'synReply':
        this.#replied(frame.streamId, frame.fin);
        break;
      case 'data':
        this.#received(frame.streamId, frame.bytes, frame.fin);
        break;
      case 'headers':
        if (frame.fin) this.#streams.get(frame.streamId)?.receivedEnd();
        break;
      case 'reset':
        this.#wasReset(frame.streamId);
        break;
      case 'ping':
        if (!this.#isOurs(frame.id)) this.#reply(frame);
        break;
      case 'goAway':
        this.#wentAway = true;
        this.#socket.end();
        break;
      case 'settings':
      case 'windowUpdate':
        break;
    }
  }

  #isOurs = (id: number): boolean => id % 2 === this.#nextId % 2;

  #opened(streamId: number, headers: SpdyHeaders, fin: boolean): void {
    const isNew = !this.#isOurs(streamId) && streamId > this.#lastReceivedId;
    if (!isNew || this.#streams.size >= streamsMax) {
      const status = isNew ? resetStatus.refusedStream : resetStatus.protocolError;
      this.#reply({ kind: 'reset', streamId, status });
      return;
    }
    this.#lastReceivedId = streamId;
    const stream = new SpdyStream(streamId, headers, this.#owner);
    this.#streams.set(streamId, stream);
    // The reply is sent before anything that the handler writes.
    this.#reply({ kind: 'synReply', streamId, headers: {}, fin: false });
    if (fin) stream.receivedEnd();
    if (!this.#onStream(stream)) stream.reset();
  }

  #replied(streamId: number, fin: boolean): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    this.#opening.get(streamId)?.resolve(stream);
    this.#opening.delete(streamId);
    if (fin) stream.receivedEnd();
  }

  #received(streamId: number, bytes: Uint8Array, fin: boolean): void {
    const stream = this.#streams.get(streamId);
    // Data that was in flight when a stream was closed here is dropped.
    if (stream === undefined) return;
    if (bytes.length > 0 && !stream.received(bytes)) {
      this.#full.add(stream);
      this.#socket.pause();
    }
    if (fin) stream.receivedEnd();
  }

  #wasReset(streamId: number): void {
    this.#opening.get(streamId)?.reject(new Error('the stream was refused'));
    this.#opening.delete(streamId);
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) endOf(stream, new Error('the stream was reset'));
  }

  #cutOff(): void {
    const reason = new Error(lostText);
    for (const opening of this.#opening.values()) opening.reject(reason);
    this.#opening.clear();
    for (const stream of this.#streams.values()) endOf(stream, reason);
    this.#streams.clear();
  }

  #ownerOfStreams(): StreamOwner {
    return {
      sendData: (streamId, bytes, sent) => {
        for (let start = 0; start < bytes.length; start += dataFrameBytesMax) {
          const part = bytes.subarray(start, start + dataFrameBytesMax);
          this.#send({ kind: 'data', streamId, bytes: part, fin: false });
        }
        if (this.#socket.destroyed || !this.#socket.writableNeedDrain) sent();
        else whenDrained(this.#socket, sent);
      },
      sendEnd: (streamId) => this.#send({ kind: 'data', streamId, bytes: new Uint8Array(0), fin: true }),
      sendReset: (streamId) => {
        if (this.#streams.has(streamId)) this.#send({ kind: 'reset', streamId, status: resetStatus.cancel });
      },
      wantsMore: (stream) => {
        if (this.#full.delete(stream)) this.#resume();
      },
      closed: (stream) => {
        this.#streams.delete(stream.id);
        if (this.#full.delete(stream)) this.#resume();
      },
    };
  }

  #resume(): void {
    if (this.#full.size === 0 && this.#repliesUnread < repliesUnreadMax) this.#socket.resume();
  }

  #reply(frame: Frame): void {
    this.#send(frame);
    if (this.#socket.destroyed || !this.#socket.writableNeedDrain) return;
    if (this.#repliesUnread++ === 0) {
      whenDrained(this.#socket, () => {
        this.#repliesUnread = 0;
        this.#resume();
      });
    }
    if (this.#repliesUnread === repliesUnreadMax) this.#socket.pause();
  }

  #send(frame: Frame): void {
    if (!this.#socket.destroyed && !this.#socket.writableEnded)
      this.#socket.write(encodeFrame(frame, this.#deflater));
  }
}

/** As upstream: a reader sees the data and then the end, a writer gets an error. */
function endOf(stream: SpdyStream, reason: Error): void {
  stream.receivedEnd();
  if (stream.readableLength === 0 && !stream.readableFlowing) stream.resume();
  if (stream.readableEnded || stream.readableLength === 0) stream.cutOff(reason);
  else stream.once('end', () => stream.cutOff(reason));
}
