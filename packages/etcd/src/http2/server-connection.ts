import type { Duplex } from 'node:stream';
import {
  ConnectionFailure,
  FrameReader,
  FrameWriter,
  errorCodes,
  flags,
  frameTypes,
  payloadBytesDefault,
  settingIds,
  windowBytesDefault,
  windowBytesMax,
} from './frames.ts';
import type { Frame } from './frames.ts';
import { HpackDecoder, MalformedHeaders } from './hpack-decoder.ts';
import { ServerStream } from './server-stream.ts';
import type { StreamCarrier } from './server-stream.ts';

/** What a client may send before it hears that it was read; of a stream, and of the connection. */
const streamWindowBytes = 1024 * 1024;
const connectionWindowBytes = 16 * 1024 * 1024;
/** Headers of one request, as they are sent. */
const headerBlockBytesMax = 64 * 1024;
/** More than this that the client doesn't read, and data waits in its streams. */
const socketBytesMax = 1024 * 1024;
/**
 * Answers to pings and the like wait so long for something to go with: clients of Go ping with every answer
 * that they read, to measure the line.
 */
const companyMsMax = 2;
/** What doesn't wait, such as answers to pings: a client that provokes so much without reading is cut off. */
const uncontrolledBytesMax = 8 * socketBytesMax;

export interface ServerConnectionOptions {
  readonly streamsMax: number;
  readonly onStream: (stream: ServerStream) => void;
}

/**
 * The server's end of one HTTP/2 connection, for gRPC: no push, no priorities, no compression of what is sent.
 * Unlike Node's own it takes any `:authority`, since clients of etcd 3.4 send a URL, and it costs a
 * third: what one turn has to say goes out in one write.
 */
export class ServerConnection implements StreamCarrier {
  readonly #socket: Duplex;
  readonly #options: ServerConnectionOptions;
  readonly #reader = new FrameReader();
  readonly #writer = new FrameWriter();
  readonly #decoder = new HpackDecoder();
  readonly #streams = new Map<number, ServerStream>();
  /** Those with data that a window holds back. */
  readonly #blocked = new Set<ServerStream>();
  #lastStreamId = 0;
  #sendWindow = windowBytesDefault;
  #streamSendWindow = windowBytesDefault;
  #payloadBytesMax = payloadBytesDefault;
  #receivedBytes = 0;
  /** Headers that go on in the next frame. */
  #unfinished:
    | { readonly streamId: number; readonly isLast: boolean; blocks: Buffer[]; bytes: number }
    | undefined;
  #isFlushPlanned = false;
  #isLateFlushPlanned = false;
  #isOver = false;

  constructor(socket: Duplex, options: ServerConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#sendSettings();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#sendBlocked());
    socket.on('end', () => socket.end());
    socket.on('close', () => this.#closeAll());
  }

  /** Tells the client, and cuts the connection when that is sent. */
  close(code: number = errorCodes.none): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#writer.numbers(frameTypes.goAway, 0, this.#lastStreamId, code);
    this.#flush();
    this.#socket.end(() => this.#socket.destroy());
    this.#closeAll();
  }

  sendHeaders(stream: ServerStream, block: Uint8Array, isLast: boolean): void {
    const bits = flags.endHeaders | (isLast ? flags.endStream : 0);
    this.#writer.head(frameTypes.headers, bits, stream.id, block.length);
    this.#writer.add(block);
    this.#planFlush();
    if (isLast) this.#endOurs(stream);
  }

  sendUnsent(stream: ServerStream): void {
    while (stream.unsentBytes > 0) {
      const room = Math.min(this.#sendWindow, stream.sendWindow, this.#payloadBytesMax);
      if (room <= 0 || this.#socket.writableLength > socketBytesMax) {
        this.#blocked.add(stream);
        return;
      }
      this.#sendData(stream, room);
    }
    this.#blocked.delete(stream);
    if (stream.trailers === undefined) return stream.drained();
    if (stream.trailers.length > 0) return this.sendHeaders(stream, stream.trailers, true);
    this.#writer.head(frameTypes.data, flags.endStream, stream.id, 0);
    this.#planFlush();
    this.#endOurs(stream);
  }

  reset(stream: ServerStream, code: number): void {
    this.#writer.numbers(frameTypes.resetStream, stream.id, code);
    this.#planFlush();
    this.#remove(stream);
  }

  /** One frame of at most `room` bytes, from as many pieces as that takes. */
  #sendData(stream: ServerStream, room: number): void {
    const length = Math.min(room, stream.unsentBytes);
    this.#writer.head(frameTypes.data, 0, stream.id, length);
    for (let left = length; left > 0;) {
      const piece = stream.unsent[0]!;
      if (piece.length <= left) {
        this.#writer.add(piece);
        stream.unsent.shift();
        left -= piece.length;
      } else {
        this.#writer.add(piece.subarray(0, left));
        stream.unsent[0] = piece.subarray(left);
        left = 0;
      }
    }
    stream.unsentBytes -= length;
    stream.sendWindow -= length;
    this.#sendWindow -= length;
    this.#planFlush();
  }

  #sendBlocked(): void {
    for (const stream of Array.from(this.#blocked)) {
      if (this.#sendWindow <= 0) return;
      // To the end of the queue, so that streams share the connection's window.
      this.#blocked.delete(stream);
      this.sendUnsent(stream);
    }
  }

  #endOurs(stream: ServerStream): void {
    if (!stream.isRemoteOpen) return this.#remove(stream);
    // Whatever is still coming isn't wanted.
    this.reset(stream, errorCodes.none);
  }

  #remove(stream: ServerStream): void {
    stream.isClosed = true;
    stream.unsent.length = 0;
    stream.unsentBytes = 0;
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    stream.listener.onClose();
  }

  #closeAll(): void {
    this.#isOver = true;
    for (const stream of this.#streams.values()) this.#remove(stream);
  }

  /** In one write what this turn, and all that follows from it at once, has to say. */
  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    process.nextTick(() => this.#flush());
  }

  #planLateFlush(): void {
    if (this.#isFlushPlanned || this.#isLateFlushPlanned) return;
    this.#isLateFlushPlanned = true;
    setTimeout(() => {
      this.#isLateFlushPlanned = false;
      this.#flush();
    }, companyMsMax);
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    const chunks = this.#writer.take();
    if (chunks.length === 0 || !this.#socket.writable) return;
    if (chunks.length > 1) this.#socket.cork();
    for (const chunk of chunks) this.#socket.write(chunk);
    if (chunks.length > 1) this.#socket.uncork();
    if (this.#socket.writableLength > uncontrolledBytesMax + socketBytesMax) this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#reader.push(chunk);
    try {
      for (let frame = this.#reader.next(); frame !== undefined; frame = this.#reader.next()) {
        this.#take(frame);
        if (this.#isOver) return;
      }
    } catch (failure) {
      if (failure instanceof ConnectionFailure) this.close(failure.code);
      else if (failure instanceof MalformedHeaders) this.close(errorCodes.compression);
      else throw failure;
    }
  }

  #take(frame: Frame): void {
    if (this.#unfinished !== undefined && frame.type !== frameTypes.continuation)
      throw new ConnectionFailure(errorCodes.protocol, 'headers are interrupted');
    switch (frame.type) {
      case frameTypes.data:
        return this.#takeData(frame);
      case frameTypes.headers:
        return this.#takeHeaders(frame);
      case frameTypes.continuation:
        return this.#takeContinuation(frame);
      case frameTypes.settings:
        return this.#takeSettings(frame);
      case frameTypes.windowUpdate:
        return this.#takeWindowUpdate(frame);
      case frameTypes.ping:
        return this.#takePing(frame);
      case frameTypes.resetStream:
        checkLength(frame, 4);
        return this.#forget(this.#openStream(frame.streamId));
      case frameTypes.pushPromise:
        throw new ConnectionFailure(errorCodes.protocol, 'clients push nothing');
      default:
      // Priorities, a client that is about to go, and what later versions may bring.
    }
  }

  #takeData(frame: Frame): void {
    this.#receivedBytes += frame.payload.length;
    if (this.#receivedBytes > connectionWindowBytes)
      throw new ConnectionFailure(errorCodes.flowControl, 'more data than the window allows');
    if (this.#receivedBytes > connectionWindowBytes / 2) {
      this.#writer.numbers(frameTypes.windowUpdate, 0, this.#receivedBytes);
      this.#receivedBytes = 0;
      this.#planLateFlush();
    }
    const stream = this.#openStream(frame.streamId);
    if (stream === undefined) return;
    const bytes = unpadded(frame);
    const isLast = (frame.flags & flags.endStream) !== 0;
    if (!isLast) this.#giveBack(stream, frame.payload.length);
    if (stream.isClosed) return;
    if (bytes.length > 0) stream.listener.onData(bytes);
    if (isLast) this.#endTheirs(stream);
  }

  #giveBack(stream: ServerStream, bytes: number): void {
    stream.receivedBytes += bytes;
    if (stream.receivedBytes > streamWindowBytes) return this.reset(stream, errorCodes.flowControl);
    if (stream.receivedBytes <= streamWindowBytes / 2) return;
    this.#writer.numbers(frameTypes.windowUpdate, stream.id, stream.receivedBytes);
    stream.receivedBytes = 0;
    this.#planLateFlush();
  }

  #endTheirs(stream: ServerStream): void {
    if (!stream.isRemoteOpen) return;
    stream.isRemoteOpen = false;
    stream.listener.onEnd();
  }

  #takeHeaders(frame: Frame): void {
    if (frame.streamId % 2 === 0)
      throw new ConnectionFailure(errorCodes.protocol, 'streams of clients are odd');
    const bytes = unpadded(frame);
    const block = (frame.flags & flags.priority) === 0 ? bytes : bytes.subarray(5);
    const isLast = (frame.flags & flags.endStream) !== 0;
    if ((frame.flags & flags.endHeaders) !== 0) return this.#beginStream(frame.streamId, block, isLast);
    this.#unfinished = { streamId: frame.streamId, isLast, blocks: [block], bytes: block.length };
  }

  #takeContinuation({ streamId, payload, flags: bits }: Frame): void {
    const headers = this.#unfinished;
    if (headers?.streamId !== streamId)
      throw new ConnectionFailure(errorCodes.protocol, 'no headers to go on with');
    headers.blocks.push(payload);
    headers.bytes += payload.length;
    if (headers.bytes > headerBlockBytesMax || headers.blocks.length > headerBlockBytesMax / 1024)
      throw new ConnectionFailure(errorCodes.enhanceYourCalm, 'too many headers');
    if ((bits & flags.endHeaders) === 0) return;
    this.#unfinished = undefined;
    this.#beginStream(streamId, Buffer.concat(headers.blocks), headers.isLast);
  }

  #beginStream(id: number, block: Buffer, isLast: boolean): void {
    const fields = this.#decoder.decode(block);
    const open = this.#streams.get(id);
    // Trailers of a request, of which gRPC knows none.
    if (open !== undefined) return isLast ? this.#endTheirs(open) : this.reset(open, errorCodes.protocol);
    if (id <= this.#lastStreamId) throw new ConnectionFailure(errorCodes.streamClosed, 'the stream is over');
    this.#lastStreamId = id;
    const stream = new ServerStream(this, id, fields, {
      sendWindow: this.#streamSendWindow,
      isRemoteOpen: !isLast,
    });
    if (this.#streams.size >= this.#options.streamsMax) return this.reset(stream, errorCodes.refusedStream);
    if (!fields.has(':method') || !fields.has(':path')) return this.reset(stream, errorCodes.protocol);
    this.#streams.set(id, stream);
    this.#options.onStream(stream);
    if (isLast) stream.listener.onEnd();
  }

  /** Undefined for one that is over. */
  #openStream(id: number): ServerStream | undefined {
    if (id === 0 || id > this.#lastStreamId)
      throw new ConnectionFailure(errorCodes.protocol, 'the stream has not begun');
    return this.#streams.get(id);
  }

  #forget(stream: ServerStream | undefined): void {
    if (stream !== undefined) this.#remove(stream);
  }

  #sendSettings(): void {
    const settings = [
      [settingIds.maxConcurrentStreams, this.#options.streamsMax],
      [settingIds.initialWindowSize, streamWindowBytes],
    ] as const;
    const payload = Buffer.alloc(settings.length * settingBytes);
    for (const [index, [id, value]] of settings.entries()) {
      payload.writeUInt16BE(id, index * settingBytes);
      payload.writeUInt32BE(value, index * settingBytes + 2);
    }
    this.#writer.head(frameTypes.settings, 0, 0, payload.length);
    this.#writer.add(payload);
    this.#writer.numbers(frameTypes.windowUpdate, 0, connectionWindowBytes - windowBytesDefault);
    this.#planFlush();
  }

  #takeSettings({ flags: bits, payload }: Frame): void {
    if ((bits & flags.ack) !== 0) return;
    if (payload.length % settingBytes !== 0)
      throw new ConnectionFailure(errorCodes.frameSize, 'settings are cut off');
    for (let at = 0; at < payload.length; at += settingBytes)
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    this.#writer.head(frameTypes.settings, flags.ack, 0, 0);
    this.#planFlush();
    this.#sendBlocked();
  }

  #set(id: number, value: number): void {
    if (id === settingIds.maxFrameSize) {
      if (value < payloadBytesDefault || value >= 2 ** 24)
        throw new ConnectionFailure(errorCodes.protocol, `frames of ${value} bytes`);
      this.#payloadBytesMax = value;
    }
    if (id !== settingIds.initialWindowSize) return;
    if (value > windowBytesMax) throw new ConnectionFailure(errorCodes.flowControl, `a window of ${value}`);
    for (const stream of this.#streams.values()) stream.sendWindow += value - this.#streamSendWindow;
    this.#streamSendWindow = value;
  }

  #takeWindowUpdate(frame: Frame): void {
    checkLength(frame, 4);
    const more = frame.payload.readUInt32BE(0) & windowBytesMax;
    if (frame.streamId === 0) {
      this.#sendWindow += more;
      if (more === 0 || this.#sendWindow > windowBytesMax)
        throw new ConnectionFailure(errorCodes.flowControl, `a window larger by ${more}`);
      return this.#sendBlocked();
    }
    const stream = this.#openStream(frame.streamId);
    if (stream === undefined) return;
    stream.sendWindow += more;
    if (more === 0 || stream.sendWindow > windowBytesMax) return this.reset(stream, errorCodes.flowControl);
    if (this.#blocked.has(stream)) this.sendUnsent(stream);
  }

  #takePing(frame: Frame): void {
    checkLength(frame, 8);
    if ((frame.flags & flags.ack) !== 0) return;
    this.#writer.head(frameTypes.ping, flags.ack, 0, frame.payload.length);
    this.#writer.add(frame.payload);
    this.#planLateFlush();
  }
}

const settingBytes = 6;

function checkLength({ payload }: Frame, length: number): void {
  if (payload.length !== length) throw new ConnectionFailure(errorCodes.frameSize, 'a frame of a wrong size');
}

function unpadded({ flags: bits, payload }: Frame): Buffer {
  if ((bits & flags.padded) === 0) return payload;
  const padding = payload[0] ?? 0;
  if (padding >= payload.length) throw new ConnectionFailure(errorCodes.protocol, 'more padding than data');
  return payload.subarray(1, payload.length - padding);
}
