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

/** More than this that the client doesn't read, and data waits in its streams. */
const socketBytesMax = 1024 * 1024;
/** Who has this much to send waits for a slice of long work: to encrypt it takes a tenth of a millisecond. */
const longBytesMin = 96 * 1024;
/** And sends no more of it in one while others are served. */
const sliceBytesMax = 64 * 1024;
/** Frames that don't wait, such as answers to pings: who provokes so much without reading is cut off. */
const controlBytesMax = 1024 * 1024;
/**
 * Answers to pings and the like wait so long for something to go with: clients of gRPC ping with every answer
 * that they read, to measure the line.
 */
const companyMsMax = 2;

export interface OutboxOptions {
  readonly clock: Clock;
  /** For whom what is sent was asked. */
  readonly owner: () => string;
  /** Hears of what is a fault of ours, and ends the connection. */
  readonly onFault: (failure: unknown) => void;
}

/** Empty between two flushes. */
const buffer = new FlushBuffer();

/**
 * What one connection sends: control frames first, then the streams in turn, a frame each, as far as the client's
 * windows go. All of a turn of the event loop leaves in one write.
 */
export class Outbox implements Flushable {
  readonly encoder = new HpackEncoder();
  /** What streams may send at first. */
  streamWindow = windowBytesDefault;
  payloadBytesMax = payloadBytesDefault;
  readonly clock: Clock;
  readonly #socket: Duplex;
  readonly #options: OutboxOptions;
  #window = windowBytesDefault;
  #control: Uint8Array[] = [];
  #controlBytes = 0;
  /** Streams with something to send, in the order in which they are asked. */
  #queue: StreamOutput[] = [];
  /** Those that the connection's window holds back. */
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

  /** @param isUrgent whether it may not wait for something to go with */
  control(frame: Uint8Array, isUrgent = true): void {
    this.#control.push(frame);
    this.#controlBytes += frame.length;
    if (isUrgent) this.#plan();
    else this.#planLate();
  }

  /** The stream has something to send. */
  send(output: StreamOutput): void {
    if (output.isQueued || output.isOver) return;
    output.isQueued = true;
    this.#queue.push(output);
    this.#plan();
  }

  /** @throws ConnectionFailure for a window beyond what there can be */
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

  /** Nothing more is sent on the stream. */
  cut(output: StreamOutput): void {
    output.cut();
    if (!output.isQueued || this.#held.delete(output)) return;
    const place = this.#queue.indexOf(output);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  /** The connection is over. */
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
    // Who hears of it may do what it likes, so it waits until this connection is in order again.
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

  /** A frame of each in turn, so that a large answer doesn't keep the small ones behind it waiting. */
  #moveStreams(bytesMax: number, written: Written[], emptied: StreamOutput[]): void {
    while (this.#queue.length > 0) {
      const round = this.#queue;
      this.#queue = [];
      for (let index = 0; index < round.length; index++) {
        if (buffer.bytes >= bytesMax) {
          // The others go on once the client has read.
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

  /** One frame; false where a window lets nothing pass. */
  #moveData(output: StreamOutput, written: Written[]): boolean {
    const { id, data } = output;
    const length = Math.min(data.bytes, this.#window, output.window, this.payloadBytesMax);
    if (length <= 0) {
      // A stream whose own window is closed is sent again when that is opened.
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
    else socket.write(chunks[last], (failure) => failure || written.forEach((tell) => tell()));
    if (chunks.length > 1) socket.uncork();
    if (socket.writableLength > 2 * socketBytesMax + controlBytesMax) socket.destroy();
  }
}

function finish(output: StreamOutput, emptied: StreamOutput[]): void {
  output.isOver = true;
  emptied.push(output);
}

/** A block that no single frame has room for. */
function moveInPieces(block: Uint8Array, id: number, bits: number, payloadBytesMax: number): void {
  for (let at = 0; at < block.length; at += payloadBytesMax) {
    const piece = block.subarray(at, at + payloadBytesMax);
    const isLast = at + piece.length === block.length;
    const type = at === 0 ? frameTypes.headers : frameTypes.continuation;
    buffer.frameHead(type, (at === 0 ? bits : 0) | (isLast ? flags.endHeaders : 0), id, piece.length);
    buffer.add(piece);
  }
}
