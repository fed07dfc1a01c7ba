import type { Duplex } from 'node:stream';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { inSlices, nobody } from '@coxswain/apimachinery/slices.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { FloodGuard } from './flood-guard.ts';
import { FrameIntake, type IntakeListener } from './frame-intake.ts';
import {
  ConnectionFailure,
  errorCodes,
  frameOfNumbers,
  frameTypes,
  payloadBytesDefault,
  settingIds,
  streamIdMost,
  windowBytesDefault,
} from './frames/frame.ts';
import { FrameReader } from './frames/frame-reader.ts';
import { pingFrame } from './frames/ping.ts';
import { settingsFrame } from './frames/settings.ts';
import { Outbox } from './output/outbox.ts';
import type { StreamOutput } from './output/stream-output.ts';
import type { ServerStream } from './server-stream.ts';
import { StreamTable, type StreamEnd } from './stream-table.ts';

export interface ServerConnectionOptions {
  /** The clock for the flood limits. */
  readonly clock: Clock;
  /** The maximum number of concurrent requests; further ones are refused individually. */
  readonly streamsMax: number;
  /** The owner for whom the connection works, which may become known later. */
  readonly owner?: () => string;
  readonly onStream: (stream: ServerStream) => void;
  /** Called for an internal error; the connection is then closed. */
  readonly onFault?: (failure: unknown) => void;
  /** The maximum frame size that a client may send. */
  readonly framePayloadBytesMax?: number;
  /** How much a client may send before it was read, per stream and per connection. */
  readonly streamWindowBytes?: number;
  readonly connectionWindowBytes?: number;
  /** The maximum size of all headers of a request, counting 32 extra bytes for each; a request with more gets 431. */
  readonly headerListBytesMax?: number;
}

const boundsDefault = {
  framePayloadBytesMax: payloadBytesDefault,
  streamWindowBytes: 1024 * 1024,
  connectionWindowBytes: 16 * 1024 * 1024,
  headerListBytesMax: 64 * 1024,
} as const;

type Options = ServerConnectionOptions &
  Required<Pick<ServerConnectionOptions, keyof typeof boundsDefault | 'owner'>>;

/** How long a client that is disconnected may take to read the reason. */
const goingMsMax = 1000;

/** The ping that a client acknowledges once it knows that the connection will end. */
const leavingPing = Buffer.from('leaving?');

/**
 * The server side of one HTTP/2 connection, without push and priorities. Node's own rejects an `:authority` that is a
 * URL, which clients of etcd 3.4 send, and costs three times as much.
 */
export class ServerConnection implements IntakeListener {
  readonly #socket: Duplex;
  readonly #options: Options;
  readonly #reader: FrameReader;
  readonly #intake: FrameIntake;
  readonly #outbox: Outbox;
  readonly #streams = new StreamTable();
  #phase: 'open' | 'leaving' | 'left' | 'over' = 'open';
  #periodsWithoutRequest = 0;
  /** Whether received input is waiting for its slice. */
  #isReading = false;

  constructor(socket: Duplex, options: ServerConnectionOptions) {
    this.#socket = socket;
    this.#options = { ...boundsDefault, owner: () => nobody, ...options };
    this.#reader = new FrameReader(this.#options.framePayloadBytesMax);
    const { clock, owner } = this.#options;
    this.#outbox = new Outbox(socket, { clock, owner, onFault: (failure) => this.#fail(failure) });
    const guard = new FloodGuard(options.clock);
    const parts = { streams: this.#streams, outbox: this.#outbox, guard };
    this.#intake = new FrameIntake(this, parts, this.#options);
    this.#sendSettings();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => socket.end());
    socket.on('close', () => this.#closeAll());
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** Lets requests in progress complete and then ends the connection; the client opens another one. */
  shutdown(): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'leaving';
    // Streams that the client begins before it knows are still served.
    this.#outbox.control(frameOfNumbers(frameTypes.goAway, 0, streamIdMost, errorCodes.none));
    this.#outbox.control(pingFrame(leavingPing));
    systemClock.after(goingMsMax, () => this.#leave(), { idle: true });
  }

  /** Sends the error to the client and closes the connection afterwards. */
  close(code: number = errorCodes.none): void {
    if (this.isOver) return;
    this.#phase = 'over';
    this.#outbox.control(frameOfNumbers(frameTypes.goAway, 0, this.#streams.lastId, code));
    this.#outbox.flush();
    // After a violation, no further input is read.
    if (code !== errorCodes.none) this.#socket.pause();
    this.#endSocket();
    this.#closeAll();
  }

  /**
   * To be called periodically: ends a connection that had no request for more than `periodsMax` periods. A connection
   * with open streams is not idle, but incomplete headers count as idle.
   */
  endIfIdle(periodsMax: number): void {
    const isIdle = this.#streams.size === 0 || this.#intake.isInHeaders;
    this.#periodsWithoutRequest = isIdle ? this.#periodsWithoutRequest + 1 : 0;
    if (this.#periodsWithoutRequest <= periodsMax) return;
    if (this.#intake.isInHeaders) this.close(errorCodes.enhanceYourCalm);
    else this.shutdown();
  }

  /** To be called periodically: resets the streams whose responses were not read by their deadlines. */
  cutOverdue(nowMs: number): void {
    for (const stream of this.#streams.open())
      if (stream.deadlineMs <= nowMs) stream.reset(errorCodes.internal);
  }

  onStream(stream: ServerStream): void {
    this.#periodsWithoutRequest = 0;
    this.#options.onStream(stream);
  }

  onReset(stream: ServerStream): void {
    this.#remove(stream, 'closed');
  }

  onPong(payload: Uint8Array): void {
    if (leavingPing.equals(payload)) this.#leave();
  }

  send(output: StreamOutput): void {
    this.#outbox.send(output);
  }

  answered(stream: ServerStream): void {
    if (stream.isClosed) return;
    if (!stream.isRemoteOpen) return this.#remove(stream, 'closed');
    // Further input is discarded.
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
    this.#remove(stream, stream.isRemoteOpen ? 'cut' : 'closed');
  }

  #remove(stream: ServerStream, end: StreamEnd): void {
    this.#streams.end(stream.id, end);
    this.#outbox.cut(stream.output);
    stream.close();
    if (this.#phase === 'left' && this.#streams.size === 0) this.close();
  }

  /** The second half of {@link shutdown}: streams that begin from here on are left to another connection. */
  #leave(): void {
    if (this.#phase !== 'leaving') return;
    this.#phase = 'left';
    this.#streams.takeNoMore();
    if (this.#streams.size === 0) return this.close();
    this.#outbox.control(frameOfNumbers(frameTypes.goAway, 0, this.#streams.lastId, errorCodes.none));
  }

  #endSocket(): void {
    this.#socket.end();
    // A client that does not read would keep the connection open; one that reads closes it.
    const timer = systemClock.after(goingMsMax, () => this.#socket.destroy(), { idle: true });
    this.#socket.once('close', () => timer.cancel());
  }

  #closeAll(): void {
    this.#phase = 'over';
    this.#outbox.clear();
    for (const stream of this.#streams.takeAll()) {
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

  /** Many requests that arrive together are read in slices, in the turn of their owner. */
  #receive(chunk: Buffer): void {
    if (this.isOver) return;
    this.#reader.push(chunk);
    if (this.#isReading) return;
    const read = inSlices(this.#readFrame, this.#options.clock, this.#options.owner());
    if (read === undefined) return;
    this.#isReading = true;
    this.#socket.pause();
    whenFulfilled(read, () => {
      this.#isReading = false;
      if (!this.isOver) this.#socket.resume();
    });
  }

  /** Whether that was the last available one. */
  readonly #readFrame = (): boolean => {
    if (this.isOver) return true;
    try {
      const frame = this.#reader.next();
      if (frame === undefined) return true;
      this.#intake.take(frame);
    } catch (failure) {
      if (failure instanceof ConnectionFailure) this.close(failure.code);
      else this.#fail(failure);
    }
    return this.isOver;
  };

  /** An internal error ends this connection only. */
  #fail(failure: unknown): void {
    this.#options.onFault?.(failure);
    this.close(errorCodes.internal);
  }
}
