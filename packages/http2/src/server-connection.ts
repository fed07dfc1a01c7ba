import type { Duplex } from 'node:stream';
import { systemClock } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';
import { ClosedStreams } from './closed-streams.ts';
import { FloodGuard } from './flood-guard.ts';
import {
  ConnectionFailure,
  StreamFailure,
  errorCodes,
  flags,
  frameOf,
  frameOfNumbers,
  frameTypes,
  payloadBytesDefault,
  priorityBytes,
  settingIds,
  streamIdMost,
  windowBytesDefault,
  windowBytesMost,
} from './frames/frame.ts';
import type { Frame } from './frames/frame.ts';
import { FrameReader } from './frames/frame-reader.ts';
import { checkFrame, checkPriority, unpadded } from './frames/frame-rules.ts';
import { readSettings, settingsFrame } from './frames/settings.ts';
import { UnfinishedHeaders } from './headers/unfinished-headers.ts';
import type { HeaderField } from './headers/header-field.ts';
import { checkTrailers, requestHead } from './headers/request-head.ts';
import type { RequestHead } from './headers/request-head.ts';
import { HpackDecoder } from './hpack/decoder.ts';
import { Outbox } from './output/outbox.ts';
import type { StreamOutput } from './output/stream-output.ts';
import { ServerStream } from './server-stream.ts';
import type { StreamCarrier } from './server-stream.ts';

export interface ServerConnectionOptions {
  /** By which floods are measured. */
  readonly clock: Clock;
  /** Requests at once; more are refused, one by one. */
  readonly streamsMax: number;
  readonly onStream: (stream: ServerStream) => void;
  /** Hears of what is a fault of ours; the connection is over then. */
  readonly onFault?: (failure: unknown) => void;
  /** What a client may send in one frame. */
  readonly framePayloadBytesMax?: number;
  /** What a client may send before it hears that it was read; of a stream, and of the connection. */
  readonly streamWindowBytes?: number;
  readonly connectionWindowBytes?: number;
  /** All headers of a request, with 32 bytes extra for each; more are answered with 431. */
  readonly headerListBytesMax?: number;
}

const boundsDefault = {
  framePayloadBytesMax: payloadBytesDefault,
  streamWindowBytes: 1024 * 1024,
  connectionWindowBytes: 16 * 1024 * 1024,
  headerListBytesMax: 64 * 1024,
} as const;

/** How long a client that was told to go may take to hear it, and to read why. */
const goingMsMax = 1000;

/**
 * The server's end of one HTTP/2 connection: no push, no priorities. It trusts nothing that comes: whatever breaks
 * the rules of RFC 9113 ends the stream or the connection with the code that is told there, and what only costs is
 * counted. Node's own refuses an `:authority` that is a URL, which clients of etcd 3.4 send, and costs three times as
 * much.
 */
export class ServerConnection implements StreamCarrier {
  readonly #socket: Duplex;
  readonly #options: Required<Omit<ServerConnectionOptions, 'onFault'>> &
    Pick<ServerConnectionOptions, 'onFault'>;
  readonly #reader: FrameReader;
  readonly #decoder: HpackDecoder;
  readonly #outbox: Outbox;
  readonly #guard: FloodGuard;
  readonly #streams = new Map<number, ServerStream>();
  readonly #closed = new ClosedStreams();
  #lastStreamId = 0;
  /** Beyond it, streams are not begun any more. */
  #lastStreamIdTaken = streamIdMost;
  #windowUsedBytes = 0;
  /** Headers that go on in the next frame. */
  #unfinished: UnfinishedHeaders | undefined;
  #settingsCame = false;
  #phase: 'open' | 'leaving' | 'left' | 'over' = 'open';
  #periodsWithoutRequest = 0;
  #lastFields: readonly HeaderField[] | undefined;
  #lastHead: RequestHead | undefined;

  constructor(socket: Duplex, options: ServerConnectionOptions) {
    this.#socket = socket;
    this.#options = { ...boundsDefault, ...options };
    this.#reader = new FrameReader(this.#options.framePayloadBytesMax);
    this.#decoder = new HpackDecoder(this.#options.headerListBytesMax);
    this.#outbox = new Outbox(socket);
    this.#guard = new FloodGuard(options.clock);
    this.#sendSettings();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => this.#closeAll());
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** Lets what is under way come to its end, and the connection with it; the client opens another one. */
  shutdown(): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'leaving';
    // Until the client has heard of it, it may begin streams: those are served.
    this.#outbox.control(frameOfNumbers(frameTypes.goAway, 0, streamIdMost, errorCodes.none));
    this.#outbox.control(pingOf(leavingPing));
    systemClock.after(goingMsMax, () => this.#leave(), { idle: true });
  }

  /** Tells the client, and cuts the connection when that is sent. */
  close(code: number = errorCodes.none): void {
    if (this.isOver) return;
    this.#outbox.control(frameOfNumbers(frameTypes.goAway, 0, this.#lastStreamId, code));
    // Who breaks the rules is not read any further.
    if (code !== errorCodes.none) this.#socket.pause();
    this.#endSocket();
    this.#closeAll();
  }

  /**
   * To be called from time to time: a connection that had no request for `periodsMax` of these times is ended.
   * One that has streams open is not idle, but headers that it begins it must end.
   */
  endIfIdle(periodsMax: number): void {
    const isIdle = this.#streams.size === 0 || this.#unfinished !== undefined;
    this.#periodsWithoutRequest = isIdle ? this.#periodsWithoutRequest + 1 : 0;
    if (this.#periodsWithoutRequest <= periodsMax) return;
    if (this.#unfinished === undefined) this.shutdown();
    else this.close(errorCodes.enhanceYourCalm);
  }

  send(output: StreamOutput): void {
    this.#outbox.send(output);
  }

  answered(stream: ServerStream): void {
    if (stream.isClosed) return;
    if (!stream.isRemoteOpen) return this.#remove(stream, 'told');
    // Whatever is still coming isn't wanted.
    this.reset(stream, errorCodes.none);
  }

  giveBack(stream: ServerStream, bytes: number): void {
    if (!stream.isRemoteOpen) return;
    stream.doneBytes += bytes;
    if (stream.doneBytes <= this.#options.streamWindowBytes / 2) return;
    this.#outbox.control(frameOfNumbers(frameTypes.windowUpdate, stream.id, stream.doneBytes), false);
    stream.windowUsedBytes -= stream.doneBytes;
    stream.doneBytes = 0;
  }

  reset(stream: ServerStream, code: number): void {
    this.#outbox.control(frameOfNumbers(frameTypes.resetStream, stream.id, code));
    this.#remove(stream, stream.isRemoteOpen ? 'cut' : 'told');
  }

  #remove(stream: ServerStream, end: 'told' | 'cut'): void {
    this.#streams.delete(stream.id);
    this.#closed.add(stream.id, end);
    this.#outbox.cut(stream.output);
    stream.close();
    if (this.#phase === 'left' && this.#streams.size === 0) this.close();
  }

  /** The second half of {@link shutdown}: what begins from here on is left to another connection. */
  #leave(): void {
    if (this.#phase !== 'leaving') return;
    this.#phase = 'left';
    this.#lastStreamIdTaken = this.#lastStreamId;
    if (this.#streams.size === 0) return this.close();
    this.#outbox.control(frameOfNumbers(frameTypes.goAway, 0, this.#lastStreamId, errorCodes.none));
  }

  #endSocket(): void {
    this.#phase = 'over';
    this.#outbox.flush();
    this.#socket.end();
    // A client that reads nothing would hold it open; one that reads closes it.
    const timer = systemClock.after(goingMsMax, () => this.#socket.destroy(), { idle: true });
    this.#socket.once('close', () => timer.cancel());
  }

  #closeAll(): void {
    this.#phase = 'over';
    this.#outbox.clear();
    const streams = Array.from(this.#streams.values());
    this.#streams.clear();
    for (const stream of streams) {
      stream.output.cut();
      stream.close();
    }
  }

  #sendSettings(): void {
    const { streamsMax, streamWindowBytes, framePayloadBytesMax, headerListBytesMax } = this.#options;
    this.#outbox.control(
      settingsFrame([
        [settingIds.maxConcurrentStreams, streamsMax],
        [settingIds.initialWindowSize, streamWindowBytes],
        [settingIds.maxFrameSize, framePayloadBytesMax],
        [settingIds.maxHeaderListSize, headerListBytesMax],
      ]),
    );
    const more = this.#options.connectionWindowBytes - windowBytesDefault;
    this.#outbox.control(frameOfNumbers(frameTypes.windowUpdate, 0, more));
  }

  #receive(chunk: Buffer): void {
    if (this.isOver) return;
    this.#reader.push(chunk);
    try {
      for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) {
        this.#takeGuarded(frame);
        if (this.isOver) return;
      }
    } catch (failure) {
      if (failure instanceof ConnectionFailure) return this.close(failure.code);
      this.#options.onFault?.(failure);
      this.close(errorCodes.internal);
    }
  }

  /** What is wrong with a stream ends that stream. */
  #takeGuarded(frame: Frame): void {
    try {
      this.#take(frame);
    } catch (failure) {
      if (!(failure instanceof StreamFailure)) throw failure;
      this.#endStream(frame.streamId, failure.code);
    }
  }

  #endStream(id: number, code: number): void {
    if (code !== errorCodes.refusedStream) this.#guard.count('resets');
    const stream = this.#streams.get(id);
    if (stream !== undefined) return this.reset(stream, code);
    this.#outbox.control(frameOfNumbers(frameTypes.resetStream, id, code));
    this.#closed.add(id, 'cut');
  }

  #take(frame: Frame): void {
    if (this.#unfinished !== undefined) return this.#takeContinuation(frame, this.#unfinished);
    checkFrame(frame);
    if (!this.#settingsCame && frame.type !== frameTypes.settings)
      throw new ConnectionFailure(errorCodes.protocol, 'a connection begins with settings');
    switch (frame.type) {
      case frameTypes.data:
        return this.#takeData(frame);
      case frameTypes.headers:
        return this.#takeHeaders(frame);
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
        // A client that is about to go, and what later versions may bring.
        this.#guard.count('strayFrames');
    }
  }

  #takeData(frame: Frame): void {
    const paddedBytes = frame.end - frame.start;
    this.#useWindow(paddedBytes);
    const stream = this.#openStream(frame.streamId);
    if (stream === undefined) return;
    const { bytes, start, end } = unpadded(frame);
    const isLast = (frame.flags & flags.endStream) !== 0;
    if (!stream.isRemoteOpen) throw new StreamFailure(errorCodes.streamClosed, 'data after the end');
    if (start === end && !isLast) this.#guard.count('emptyData');
    stream.windowUsedBytes += paddedBytes;
    if (stream.windowUsedBytes > this.#options.streamWindowBytes)
      throw new StreamFailure(errorCodes.flowControl, 'more data than the window allows');
    stream.checkLength(end - start, isLast);
    if (isLast) stream.isRemoteOpen = false;
    // Padding is done with at once.
    if (paddedBytes > end - start) this.giveBack(stream, paddedBytes - (end - start));
    // Who has answered wants no more of the question.
    if (end > start && !stream.output.isEnding) stream.listener.onData(bytes.subarray(start, end));
    if (isLast) stream.listener.onEnd();
  }

  /** Of the connection as a whole: what streams hold is bounded by their own windows. */
  #useWindow(bytes: number): void {
    const { connectionWindowBytes } = this.#options;
    this.#windowUsedBytes += bytes;
    if (this.#windowUsedBytes > connectionWindowBytes)
      throw new ConnectionFailure(errorCodes.flowControl, 'more data than the window allows');
    if (this.#windowUsedBytes <= connectionWindowBytes / 2) return;
    this.#outbox.control(frameOfNumbers(frameTypes.windowUpdate, 0, this.#windowUsedBytes), false);
    this.#windowUsedBytes = 0;
  }

  #takeHeaders(padded: Frame): void {
    const frame = unpadded(padded);
    const isLast = (frame.flags & flags.endStream) !== 0;
    const hasPriority = (frame.flags & flags.priority) !== 0;
    const start = hasPriority ? frame.start + priorityBytes : frame.start;
    if (hasPriority) checkPriority(frame);
    if ((frame.flags & flags.endHeaders) === 0)
      this.#unfinished = new UnfinishedHeaders(frame, start, isLast, this.#options.headerListBytesMax);
    else this.#takeFields(frame.streamId, frame.bytes, start, frame.end, isLast);
  }

  #takeContinuation(frame: Frame, headers: UnfinishedHeaders): void {
    headers.add(frame);
    if ((frame.flags & flags.endHeaders) === 0) return;
    this.#unfinished = undefined;
    const block = headers.block();
    this.#takeFields(frame.streamId, block, 0, block.length, headers.isLast);
  }

  /** Whatever becomes of them, fields are decoded: those of later blocks refer to them. */
  #takeFields(id: number, bytes: Buffer, start: number, end: number, isLast: boolean): void {
    const fields = this.#decoder.decode(bytes, start, end);
    const open = this.#streams.get(id);
    if (open !== undefined) return this.#takeTrailers(open, fields, isLast);
    if (id <= this.#lastStreamId) return this.#takeLateFields(id);
    if (id % 2 === 0) throw new ConnectionFailure(errorCodes.protocol, 'streams of clients are odd');
    this.#lastStreamId = id;
    if (id > this.#lastStreamIdTaken) return;
    this.#periodsWithoutRequest = 0;
    if (this.#streams.size >= this.#options.streamsMax)
      throw new StreamFailure(errorCodes.refusedStream, 'too many streams at once');
    if (fields === undefined) return this.#refuseHeaders(id, isLast);
    this.#beginStream(id, this.#headOf(fields), isLast);
  }

  #takeTrailers(stream: ServerStream, fields: readonly HeaderField[] | undefined, isLast: boolean): void {
    if (!stream.isRemoteOpen) throw new StreamFailure(errorCodes.streamClosed, 'headers after the end');
    if (!isLast) throw new StreamFailure(errorCodes.protocol, 'headers in the middle of a body');
    checkTrailers(fields ?? []);
    stream.checkLength(0, true);
    stream.isRemoteOpen = false;
    stream.listener.onEnd();
  }

  /** Trailers may cross the reset of their stream; nothing else comes on one that is over. */
  #takeLateFields(id: number): void {
    const end = this.#closed.endOf(id);
    if (end === undefined) throw new ConnectionFailure(errorCodes.protocol, `stream ${id} was passed over`);
    if (end === 'told') throw new ConnectionFailure(errorCodes.streamClosed, `stream ${id} is over`);
    this.#guard.count('strayFrames');
  }

  /** A client that sends the same again gets the same head. */
  #headOf(fields: readonly HeaderField[]): RequestHead {
    if (this.#lastHead === undefined || this.#lastFields !== fields) {
      this.#lastHead = requestHead(fields);
      this.#lastFields = fields;
    }
    return this.#lastHead;
  }

  #beginStream(id: number, head: RequestHead, isLast: boolean): void {
    const stream = this.#newStream(id, head, isLast);
    stream.checkLength(0, isLast);
    this.#options.onStream(stream);
    if (isLast) stream.listener.onEnd();
  }

  #newStream(id: number, head: RequestHead, isLast: boolean): ServerStream {
    const { streamWindow } = this.#outbox;
    const stream = new ServerStream(this, id, head, { sendWindow: streamWindow, isRemoteOpen: !isLast });
    this.#streams.set(id, stream);
    return stream;
  }

  /** In the words of the original's transport; the connection has cost enough. */
  #refuseHeaders(id: number, isLast: boolean): void {
    const stream = this.#newStream(id, headersTooLarge, isLast);
    stream.respond(431, { 'content-type': 'text/html; charset=utf-8' });
    stream.write(Buffer.from('<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>'));
    stream.end();
    this.shutdown();
  }

  /** Undefined for one that is over. */
  #openStream(id: number): ServerStream | undefined {
    const stream = this.#streams.get(id);
    if (stream !== undefined) return stream;
    if (id > this.#lastStreamId || id % 2 === 0)
      throw new ConnectionFailure(errorCodes.protocol, `stream ${id} has not begun`);
    this.#guard.count('strayFrames');
    // The client may not have heard yet that it was cut off, or is not served.
    if (this.#closed.endOf(id) === 'cut' || id > this.#lastStreamIdTaken) return undefined;
    throw new StreamFailure(errorCodes.streamClosed, `stream ${id} is over`);
  }

  #takeReset({ streamId }: Frame): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined && streamId > this.#lastStreamId)
      throw new ConnectionFailure(errorCodes.protocol, `stream ${streamId} has not begun`);
    this.#guard.count('resets');
    if (stream !== undefined) this.#remove(stream, 'told');
  }

  #takePriority(frame: Frame): void {
    this.#guard.count('priorities');
    if (frame.end - frame.start !== priorityBytes)
      throw new ConnectionFailure(errorCodes.frameSize, 'a priority has five bytes');
    checkPriority(frame);
  }

  #takeSettings(frame: Frame): void {
    if (!this.#settingsCame && (frame.flags & flags.ack) !== 0)
      throw new ConnectionFailure(errorCodes.protocol, 'an answer to no settings');
    this.#settingsCame = true;
    if ((frame.flags & flags.ack) !== 0) return;
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
    for (const { output } of this.#streams.values()) {
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
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return this.#takeLateUpdate(streamId);
    if (more === 0) throw new StreamFailure(errorCodes.protocol, 'a window is opened by nothing');
    if (stream.output.window + more > windowBytesMost)
      throw new StreamFailure(errorCodes.flowControl, `a window larger by ${more}`);
    this.#widen(stream.output, more);
  }

  /** Updates may cross the end of an answer. */
  #takeLateUpdate(id: number): void {
    if (id > this.#lastStreamId || id % 2 === 0)
      throw new ConnectionFailure(errorCodes.protocol, `stream ${id} has not begun`);
  }

  #widen(output: StreamOutput, more: number): void {
    output.window += more;
    if (output.window > 0 && output.data.bytes > 0) this.#outbox.send(output);
  }

  #takePing({ flags: bits, bytes, start, end }: Frame): void {
    if ((bits & flags.ack) !== 0) {
      if (bytes.subarray(start, end).equals(leavingPing)) this.#leave();
      return;
    }
    this.#guard.count('pings');
    const answer = pingOf(bytes.subarray(start, end));
    answer[flagsAt] = flags.ack;
    this.#outbox.control(answer, false);
  }
}

const leavingPing = Buffer.from('leaving?');
const pingBytes = 8;
/** Of a frame's head. */
const flagsAt = 4;

function pingOf(payload: Uint8Array): Buffer {
  const frame = frameOf(frameTypes.ping, 0, 0, pingBytes);
  frame.set(payload, frame.length - pingBytes);
  return frame;
}

const settingsAck = frameOf(frameTypes.settings, flags.ack, 0, 0);

/** Stands for a head that was not kept. */
const headersTooLarge: RequestHead = {
  method: '',
  target: '/',
  headers: {},
  fields: [],
  contentLength: undefined,
};
