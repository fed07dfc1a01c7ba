import type { FloodGuard } from './flood-guard.ts';
import {
  ConnectionFailure,
  StreamFailure,
  errorCodes,
  flags,
  frameOfNumbers,
  frameTypes,
  priorityBytes,
  settingIds,
  windowBytesMost,
  type Frame,
} from './frames/frame.ts';
import { checkFrame, checkPriority, unpadded } from './frames/frame-rules.ts';
import { pingAnswer } from './frames/ping.ts';
import { readSettings, settingsAck } from './frames/settings.ts';
import { HeaderReader, type HeaderBlock } from './headers/header-reader.ts';
import { checkTrailers, type RequestHead } from './headers/request-head.ts';
import type { Outbox } from './output/outbox.ts';
import type { StreamOutput } from './output/stream-output.ts';
import { ServerStream, type StreamCarrier } from './server-stream.ts';
import type { StreamTable } from './stream-table.ts';

export interface IntakeBounds {
  readonly streamsMax: number;
  readonly streamWindowBytes: number;
  readonly connectionWindowBytes: number;
  readonly headerListBytesMax: number;
}

/** Events of a connection caused by the client's frames. */
export interface IntakeListener extends StreamCarrier {
  /** A request arrived. */
  onStream(stream: ServerStream): void;
  /** The client reset the stream. */
  onReset(stream: ServerStream): void;
  /** A ping of ours was acknowledged. */
  onPong(payload: Uint8Array): void;
}

/**
 * Applies a client's frames to the streams of its connection (RFC 9113, sections 5 and 6). Nothing is trusted: a
 * violation ends the stream or the connection with the error code of the RFC, and frames that only cost time are
 * counted.
 */
export class FrameIntake {
  readonly #listener: IntakeListener;
  readonly #streams: StreamTable;
  readonly #outbox: Outbox;
  readonly #guard: FloodGuard;
  readonly #bounds: IntakeBounds;
  readonly #headers: HeaderReader;
  #settingsCame = false;
  /** Received bytes that have not been returned to the connection's window. */
  #windowUsedBytes = 0;

  constructor(
    listener: IntakeListener,
    parts: { readonly streams: StreamTable; readonly outbox: Outbox; readonly guard: FloodGuard },
    bounds: IntakeBounds,
  ) {
    this.#listener = listener;
    this.#streams = parts.streams;
    this.#outbox = parts.outbox;
    this.#guard = parts.guard;
    this.#bounds = bounds;
    this.#headers = new HeaderReader(bounds.headerListBytesMax);
  }

  get isInHeaders(): boolean {
    return this.#headers.isUnfinished;
  }

  /**
   * An error of a stream ends that stream.
   * @throws ConnectionFailure
   */
  take(frame: Frame): void {
    try {
      this.#take(frame);
    } catch (failure) {
      if (!(failure instanceof StreamFailure)) throw failure;
      this.#failStream(frame.streamId, failure.code);
    }
  }

  #failStream(id: number, code: number): void {
    if (code !== errorCodes.refusedStream) this.#guard.count('resets');
    const stream = this.#streams.find(id);
    if (stream !== undefined) return this.#listener.reset(stream, code);
    this.#outbox.control(frameOfNumbers(frameTypes.resetStream, id, code));
    this.#streams.end(id, 'cut');
  }

  #take(frame: Frame): void {
    if (this.#headers.isUnfinished) return this.#takeBlock(this.#headers.goOn(frame));
    checkFrame(frame);
    if (!this.#settingsCame && frame.type !== frameTypes.settings)
      throw new ConnectionFailure(errorCodes.protocol, 'a connection begins with settings');
    switch (frame.type) {
      case frameTypes.data:
        return this.#takeData(frame);
      case frameTypes.headers:
        return this.#takeBlock(this.#headers.take(frame));
      case frameTypes.settings:
        return this.#takeSettings(frame);
      case frameTypes.windowUpdate:
        return this.#takeWindowUpdate(frame);
      case frameTypes.ping:
        return this.#takePing(frame);
      case frameTypes.resetStream:
        return this.#takeReset(frame);
      case frameTypes.priority:
        return this.#takePriority(frame);
      case frameTypes.continuation:
        throw new ConnectionFailure(errorCodes.protocol, 'no headers to go on with');
      case frameTypes.pushPromise:
        throw new ConnectionFailure(errorCodes.protocol, 'clients push nothing');
      default:
        // The client is about to leave; later versions may define more.
        this.#guard.count('strayFrames');
    }
  }

  #takeBlock(block: HeaderBlock | undefined): void {
    if (block === undefined) return;
    const id = block.streamId;
    const open = this.#streams.find(id);
    if (open !== undefined) return takeTrailers(open, block);
    if (id <= this.#streams.lastId) return this.#takeLateFields(id);
    if (!this.#streams.begin(id)) return;
    if (this.#streams.size >= this.#bounds.streamsMax)
      throw new StreamFailure(errorCodes.refusedStream, 'too many streams at once');
    const head = block.fields && this.#headers.headOf(block.fields);
    if (head === undefined || head.hasTooLong) return this.#refuseHeaders(block);
    const stream = this.#newStream(block, head);
    stream.checkLength(0, block.isLast);
    this.#listener.onStream(stream);
    if (block.isLast) stream.listener.onEnd();
  }

  /** Trailers may cross a reset of their stream; nothing else may arrive on a closed stream. */
  #takeLateFields(id: number): void {
    const end = this.#streams.endOf(id);
    if (end === undefined) throw new ConnectionFailure(errorCodes.protocol, `stream ${id} was passed over`);
    if (end === 'closed') throw new ConnectionFailure(errorCodes.streamClosed, `stream ${id} is over`);
    this.#guard.count('strayFrames');
  }

  #newStream({ streamId, isLast }: HeaderBlock, head: RequestHead): ServerStream {
    const stream = new ServerStream(this.#listener, streamId, head, {
      sendWindow: this.#outbox.streamWindow,
      isRemoteOpen: !isLast,
    });
    this.#streams.add(stream);
    return stream;
  }

  /** With the message of upstream's transport; the connection has exhausted its budget. */
  #refuseHeaders(block: HeaderBlock): void {
    const stream = this.#newStream(block, headersTooLarge);
    stream.respond(431, { 'content-type': 'text/html; charset=utf-8' });
    stream.write(Buffer.from('<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>'));
    stream.end();
    this.#listener.shutdown();
  }

  #takeData(frame: Frame): void {
    const paddedBytes = frame.end - frame.start;
    this.#useWindow(paddedBytes);
    const stream = this.#streamOfData(frame.streamId);
    if (stream === undefined) return;
    const { bytes, start, end } = unpadded(frame);
    const isLast = (frame.flags & flags.endStream) !== 0;
    if (!stream.isRemoteOpen) throw new StreamFailure(errorCodes.streamClosed, 'data after the end');
    if (start === end && !isLast) this.#guard.count('emptyData');
    stream.windowUsedBytes += paddedBytes;
    if (stream.windowUsedBytes > this.#bounds.streamWindowBytes)
      throw new StreamFailure(errorCodes.flowControl, 'more data than the window allows');
    stream.checkLength(end - start, isLast);
    if (isLast) stream.isRemoteOpen = false;
    // Padding is returned to the window at once.
    if (paddedBytes > end - start) stream.giveBack(paddedBytes - (end - start));
    // Once the response is complete, the rest of the request is not needed.
    if (end > start && !stream.output.isEnding) stream.listener.onData(bytes.subarray(start, end));
    if (isLast) stream.listener.onEnd();
  }

  /** Undefined for a stream that was reset, since the client may not know yet. */
  #streamOfData(id: number): ServerStream | undefined {
    const stream = this.#streams.find(id);
    if (stream !== undefined) return stream;
    this.#streams.checkBegun(id);
    this.#guard.count('strayFrames');
    if (this.#streams.endOf(id) === 'cut') return undefined;
    throw new StreamFailure(errorCodes.streamClosed, `stream ${id} is over`);
  }

  /** The connection window. What streams hold is bounded by their own windows. */
  #useWindow(bytes: number): void {
    const { connectionWindowBytes } = this.#bounds;
    this.#windowUsedBytes += bytes;
    if (this.#windowUsedBytes > connectionWindowBytes)
      throw new ConnectionFailure(errorCodes.flowControl, 'more data than the window allows');
    if (this.#windowUsedBytes <= connectionWindowBytes / 2) return;
    this.#outbox.control(frameOfNumbers(frameTypes.windowUpdate, 0, this.#windowUsedBytes), false);
    this.#windowUsedBytes = 0;
  }

  #takeReset({ streamId }: Frame): void {
    this.#streams.checkBegun(streamId);
    this.#guard.count('resets');
    const stream = this.#streams.find(streamId);
    if (stream !== undefined) this.#listener.onReset(stream);
  }

  #takePriority(frame: Frame): void {
    this.#guard.count('priorities');
    if (frame.end - frame.start !== priorityBytes)
      throw new ConnectionFailure(errorCodes.frameSize, 'a priority has five bytes');
    checkPriority(frame);
  }

  #takeSettings(frame: Frame): void {
    const isAck = (frame.flags & flags.ack) !== 0;
    if (!this.#settingsCame && isAck)
      throw new ConnectionFailure(errorCodes.protocol, 'an answer to no settings');
    this.#settingsCame = true;
    if (isAck) return;
    this.#guard.count('settings');
    for (const [id, value] of readSettings(frame)) this.#set(id, value);
    this.#outbox.control(settingsAck);
  }

  #set(id: number, value: number): void {
    if (id === settingIds.headerTableSize) this.#outbox.encoder.setTableBytes(value);
    if (id === settingIds.maxFrameSize) this.#outbox.payloadBytesMax = value;
    if (id !== settingIds.initialWindowSize) return;
    const more = value - this.#outbox.streamWindow;
    this.#outbox.streamWindow = value;
    for (const { output } of this.#streams.open()) {
      if (output.window + more > windowBytesMost)
        throw new ConnectionFailure(errorCodes.flowControl, `a window larger by ${more}`);
      this.#widen(output, more);
    }
  }

  #takeWindowUpdate({ streamId, bytes, start }: Frame): void {
    const more = bytes.readUInt32BE(start) & windowBytesMost;
    if (streamId === 0) {
      if (more === 0) throw new ConnectionFailure(errorCodes.protocol, 'a window is opened by nothing');
      return this.#outbox.widen(more);
    }
    this.#streams.checkBegun(streamId);
    const stream = this.#streams.find(streamId);
    // A window update may cross the end of a response.
    if (stream === undefined) return;
    if (more === 0) throw new StreamFailure(errorCodes.protocol, 'a window is opened by nothing');
    if (stream.output.window + more > windowBytesMost)
      throw new StreamFailure(errorCodes.flowControl, `a window larger by ${more}`);
    this.#widen(stream.output, more);
  }

  #widen(output: StreamOutput, more: number): void {
    output.window += more;
    if (output.window > 0 && output.data.bytes > 0) this.#outbox.send(output);
  }

  #takePing({ flags: bits, bytes, start, end }: Frame): void {
    const payload = bytes.subarray(start, end);
    if ((bits & flags.ack) !== 0) return this.#listener.onPong(payload);
    this.#guard.count('pings');
    this.#outbox.control(pingAnswer(payload), false);
  }
}

function takeTrailers(stream: ServerStream, { fields = [], isLast }: HeaderBlock): void {
  if (!stream.isRemoteOpen) throw new StreamFailure(errorCodes.streamClosed, 'headers after the end');
  if (!isLast) throw new StreamFailure(errorCodes.protocol, 'headers in the middle of a body');
  checkTrailers(fields);
  stream.checkLength(0, true);
  stream.isRemoteOpen = false;
  stream.listener.onEnd();
}

/** Stands for a header block that was not kept. */
const headersTooLarge: RequestHead = {
  method: '',
  target: '/',
  headers: {},
  fields: [],
  contentLength: undefined,
  hasTooLong: true,
};
