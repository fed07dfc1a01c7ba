import type { Duplex } from 'node:stream';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { isContended } from '@coxswain/apimachinery/slices.ts';
import {
  ConnectionFailure,
  errorCodes,
  flags,
  frameTypes,
  payloadBytesDefault,
  windowBytesDefault,
  windowBytesMost,
} from '../frames/frame.ts';
import { HpackEncoder, type SentHeaders } from '../hpack/encoder.ts';
import { FlushBuffer } from './flush-buffer.ts';
import { flushThisTurn, type Flushable } from './flush-turn.ts';
import type { Written } from './piece-queue.ts';
import type { StreamOutput } from './stream-output.ts';

/** If the client leaves more than this unread, data waits in its streams. */
const socketBytesMax = 1024 * 1024;
/** Output of this size waits for a slice of long work: encrypting it takes a tenth of a millisecond. */
const longBytesMin = 96 * 1024;
/** The maximum per slice while others are served. */
const sliceBytesMax = 64 * 1024;
/**
 * The maximum of frames that are sent without waiting, such as acknowledgements of pings; a client that causes more
 * without reading is disconnected.
 */
const controlBytesMax = 1024 * 1024;
/**
 * How long acknowledgements of pings and the like wait for other output: gRPC clients send a ping with every response
 * that they read, to measure the bandwidth.
 */
const companyMsMax = 2;

export interface OutboxOptions {
  readonly clock: Clock;
  /** The owner of the requests. */
  readonly owner: () => string;
  /** Called for an internal error; ends the connection. */
  readonly onFault: (failure: unknown) => void;
}

/** Empty between two flushes. */
const buffer = new FlushBuffer();

/**
 * The output of one connection: control frames first, then one frame of each stream in turn, as far as the client's
 * windows allow. Everything from one turn of the event loop is sent in a single write.
 */
export class Outbox implements Flushable {
  readonly encoder = new HpackEncoder();
  /** The initial window of streams. */
  streamWindow = windowBytesDefault;
  payloadBytesMax = payloadBytesDefault;
  readonly clock: Clock;
  readonly #socket: Duplex;
  readonly #options: OutboxOptions;
  #window = windowBytesDefault;
  #control: Uint8Array[] = [];
  #controlBytes = 0;
  /** Streams with pending output, in the order in which they are served. */
  #queue: StreamOutput[] = [];
  /** Streams blocked by the connection's window. */
  readonly #held = new Set<StreamOutput>();
  #isPlanned = false;
  #isLatePlanned = false;

  constructor(socket: Duplex, options: OutboxOptions) {
    this.#socket = socket;
    this.#options = options;
    this.clock = options.clock;
    socket.on('drain', () => {
      if (this.#queue.length > 0) this.#plan();
    });
  }

  /** @param isUrgent whether it must not wait for other output */
  control(frame: Uint8Array, isUrgent = true): void {
    this.#control.push(frame);
    this.#controlBytes += frame.length;
    if (isUrgent) this.#plan();
    else this.#planLate();
  }

  /** The stream has pending output. */
  send(output: StreamOutput): void {
    if (output.isQueued || output.isOver) return;
    output.isQueued = true;
    this.#queue.push(output);
    this.#plan();
  }

  /** @throws ConnectionFailure if the window exceeds the maximum */
  widen(bytes: number): void {
    this.#window += bytes;
    if (this.#window > windowBytesMost)
      throw new ConnectionFailure(errorCodes.flowControl, `a window of ${this.#window} bytes`);
    for (const output of this.#held) {
      output.isQueued = false;
      this.send(output);
    }
    this.#held.clear();
  }

  /** Sends nothing more on the stream. */
  cut(output: StreamOutput): void {
    output.cut();
    if (!output.isQueued || this.#held.delete(output)) return;
    const place = this.#queue.indexOf(output);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  /** The connection is closed. */
  clear(): void {
    this.#queue = [];
    this.#held.clear();
    this.#control = [];
    this.#controlBytes = 0;
  }

  get owner(): string {
    return this.#options.owner();
  }

  get isLong(): boolean {
    let bytes = 0;
    return this.#queue.some(({ data }) => (bytes += data.bytes) >= longBytesMin);
  }

  flush(): void {
    this.#isPlanned = false;
    const { writable, writableLength } = this.#socket;
    if (!writable) return this.clear();
    if (this.#controlBytes > 0) this.#moveControl();
    const written: Written[] = [];
    const emptied: StreamOutput[] = [];
    const bytesMax = isContended(this.clock, this.clock.monotonic()) ? sliceBytesMax : socketBytesMax;
    if (this.#queue.length > 0)
      this.#moveStreams(Math.min(bytesMax, socketBytesMax - writableLength), written, emptied);
    this.#write(buffer.take(), written);
    if (this.#queue.length > 0 && !this.#socket.writableNeedDrain) this.#plan();
    // Callbacks may do anything, so they run after this connection is in a consistent state.
    for (const output of emptied) {
      if (output.isOver) output.listener.finished();
      else output.listener.drained();
    }
  }

  fail(failure: unknown): void {
    buffer.take();
    this.clear();
    this.#options.onFault(failure);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    flushThisTurn(this);
  }

  #planLate(): void {
    if (this.#isPlanned || this.#isLatePlanned) return;
    this.#isLatePlanned = true;
    systemClock.after(companyMsMax, () => {
      this.#isLatePlanned = false;
      this.flush();
    });
  }

  #moveControl(): void {
    for (const frame of this.#control) buffer.add(frame);
    this.#control = [];
    this.#controlBytes = 0;
  }

  /** One frame of each stream in turn, so that a large response does not delay small ones. */
  #moveStreams(bytesMax: number, written: Written[], emptied: StreamOutput[]): void {
    while (this.#queue.length > 0) {
      const round = this.#queue;
      this.#queue = [];
      for (let index = 0; index < round.length; index++) {
        if (buffer.bytes >= bytesMax) {
          // The others continue when the client has read.
          this.#queue = [...round.slice(index), ...this.#queue];
          return;
        }
        const output = round[index]!;
        output.isQueued = false;
        if (!output.isOver) this.#moveNext(output, written, emptied);
      }
    }
  }

  #moveNext(output: StreamOutput, written: Written[], emptied: StreamOutput[]): void {
    const { id, data } = output;
    if (output.headers !== undefined) {
      const isLast = output.isEnding && data.bytes === 0 && output.trailers === undefined;
      this.#moveHeaders(id, output.status, output.headers, isLast);
      output.headers = undefined;
      if (isLast) return finish(output, emptied);
    }
    if (data.bytes > 0 && !this.#moveData(output, written)) return;
    if (data.bytes > 0) {
      output.isQueued = true;
      this.#queue.push(output);
      return;
    }
    if (!output.isEnding || output.isOver) return void emptied.push(output);
    if (output.trailers === undefined) buffer.frameHead(frameTypes.data, flags.endStream, id, 0);
    else this.#moveHeaders(id, undefined, output.trailers, true);
    finish(output, emptied);
  }

  /** Sends one frame; returns false if a window blocks it. */
  #moveData(output: StreamOutput, written: Written[]): boolean {
    const { id, data } = output;
    const length = Math.min(data.bytes, this.#window, output.window, this.payloadBytesMax);
    if (length <= 0) {
      // A stream whose own window is closed continues when the window is opened.
      output.isQueued = output.window > 0;
      if (output.isQueued) this.#held.add(output);
      return false;
    }
    const isLast = length === data.bytes && output.isEnding && output.trailers === undefined;
    buffer.frameHead(frameTypes.data, isLast ? flags.endStream : 0, id, length);
    data.moveTo(buffer, length, written);
    this.#window -= length;
    output.window -= length;
    if (isLast) output.isOver = true;
    return true;
  }

  #moveHeaders(id: number, status: number | undefined, headers: SentHeaders, isLast: boolean): void {
    const { encoder, payloadBytesMax } = this;
    const bits = isLast ? flags.endStream : 0;
    const block = buffer.frame(
      frameTypes.headers,
      bits | flags.endHeaders,
      id,
      payloadBytesMax,
      encoder.bytesMost(headers),
      (target, at) => encoder.encode(target, at, status, headers),
    );
    if (block !== undefined) moveInPieces(block, id, bits, payloadBytesMax);
  }

  #write(chunks: readonly Uint8Array[], written: readonly Written[]): void {
    if (chunks.length === 0) return;
    const socket = this.#socket;
    if (chunks.length > 1) socket.cork();
    const last = chunks.length - 1;
    for (let index = 0; index < last; index++) socket.write(chunks[index]);
    if (written.length === 0) socket.write(chunks[last]);
    else socket.write(chunks[last], (failure) => failure || written.forEach((report) => report()));
    if (chunks.length > 1) socket.uncork();
    if (socket.writableLength > 2 * socketBytesMax + controlBytesMax) socket.destroy();
  }
}

function finish(output: StreamOutput, emptied: StreamOutput[]): void {
  output.isOver = true;
  emptied.push(output);
}

/** A header block that does not fit into one frame. */
function moveInPieces(block: Uint8Array, id: number, bits: number, payloadBytesMax: number): void {
  for (let at = 0; at < block.length; at += payloadBytesMax) {
    const piece = block.subarray(at, at + payloadBytesMax);
    const isLast = at + piece.length === block.length;
    const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
    buffer.frameHead(type, (at === 0 ? bits : 0) | (isLast ? flags.endHeaders : 0), id, piece.length);
    buffer.add(piece);
  }
}
