/**
 * The server side of one HTTP/1.1 connection (RFC 9112). Bytes are read once, in order, and a request starts only after
 * the previous one was fully read and answered. So none is executed twice, and no response is written into another.
 */
import type { Duplex } from 'node:stream';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { inSlices } from '@coxswain/apimachinery/slices.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import type { Peer } from '../api-request.ts';
import { emptyBody, type ApiResponse } from '../api-response.ts';
import { brokenStream } from '../broken-stream.ts';
import type { ServeRequest } from '../serving-options.ts';
import { headerBytesMax } from '../transport-limits.ts';
import { Exchange } from './exchange.ts';
import { HeadReader } from './head-reader.ts';
import { RequestRefusal } from './refusal.ts';
import { readHead } from './request-head.ts';
import { UnreadInput } from './unread-input.ts';
import { UpgradedConnection } from './upgraded-connection.ts';

export interface Http1ConnectionOptions {
  readonly peer: Peer;
  readonly clock?: Clock | undefined;
  readonly serve: ServeRequest;
  readonly log?: ((line: string) => void) | undefined;
}

/** The limit of bytes that a client may send ahead of the responses it waits for. */
const aheadBytesMax = 64 * 1024;

/** How long a client may keep reading before the connection is destroyed, which could lose the response; Go's value. */
const closingMsMax = 500;

/** Line ends after a body, which old clients send in violation of the protocol. */
const strayBytesMax = 4;

export class Http1Connection {
  readonly #socket: Duplex;
  readonly #options: Http1ConnectionOptions;
  readonly #head = new HeadReader(headerBytesMax + 4096);
  /** Mostly what the client has sent ahead of the response it waits for. */
  readonly #unread = new UnreadInput();
  #exchange: Exchange | undefined;
  #phase: 'open' | 'closing' | 'over' = 'open';
  /** Whether a part of the input is being read right now. */
  #isReading = false;
  /** Whether the next part waits for its slice. */
  #isWaiting = false;
  #isLeaving = false;
  #hasEnded = false;
  #hasServed = false;
  #strayBytesLeft = 0;
  #periodsWaited = 0;

  constructor(socket: Duplex, options: Http1ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    // A client that has sent its last request may still wait for responses.
    socket.allowHalfOpen = true;
    socket.on('data', this.#receive).on('end', this.#end).on('drain', this.#drain).on('close', this.#gone);
    socket.on('error', ignore);
  }

  /** Closes the connection after the current request, or at once if there is none. */
  shutdown(): void {
    this.#isLeaving = true;
    if (this.#exchange === undefined && this.#phase === 'open') this.#close();
  }

  /**
   * To be called periodically, but only once for a time in which nothing could be read: a connection without a request
   * is closed after `idlePeriods` calls; one in the middle of a head, or that has never sent one, after `headPeriods`.
   * A connection whose client has not read its response within the request's time is cut.
   */
  look({ idlePeriods, headPeriods }: { readonly idlePeriods: number; readonly headPeriods: number }): void {
    if (this.#exchange !== undefined && this.#phase === 'open') {
      const { clock = systemClock } = this.#options;
      if (this.#exchange.isOverdue(clock.monotonic())) this.#socket.destroy();
      return;
    }
    this.#periodsWaited++;
    if (this.#phase === 'closing' && this.#periodsWaited > idlePeriods) this.#socket.destroy();
    if (this.#phase !== 'open') return;
    const isIdle = this.#hasServed && this.#head.isEmpty;
    if (this.#periodsWaited > (isIdle ? idlePeriods : headPeriods)) this.#close();
  }

  readonly #receive = (chunk: Buffer): void => {
    this.#unread.add(chunk);
    this.#read();
  };

  /** Requests that arrive together are read in slices, in the turn of their owner. */
  #read(): void {
    if (this.#isReading || this.#isWaiting || !this.#canRead) return;
    const { peer, clock = systemClock } = this.#options;
    const read = inSlices(this.#readPart, clock, peer.owner ?? peer.address, true);
    if (read !== undefined) {
      this.#isWaiting = true;
      whenFulfilled(read, this.#goOn);
    }
    this.#regulate();
  }

  readonly #goOn = (): void => {
    this.#isWaiting = false;
    this.#read();
    this.#regulate();
  };

  get #canRead(): boolean {
    return this.#phase === 'open' && this.#unread.length > 0 && this.#exchange?.intake.isDone !== true;
  }

  /** Whether nothing more can be read at present. */
  readonly #readPart = (): boolean => {
    if (!this.#canRead) return true;
    const exchange = this.#exchange;
    this.#isReading = true;
    this.#unread.read((chunk, start) =>
      exchange === undefined ? this.#takeHead(chunk, start) : exchange.intake.take(chunk, start),
    );
    this.#settle();
    this.#isReading = false;
    return !this.#canRead;
  };

  #takeHead(chunk: Buffer, start: number): number {
    try {
      const from = this.#behindStrayBytes(chunk, start);
      if (from === chunk.length) return from;
      if (this.#head.isEmpty && this.#hasServed) this.#periodsWaited = 0;
      const { text, end } = this.#head.take(chunk, from);
      if (text !== undefined) this.#begin(text);
      return end;
    } catch (failure) {
      if (!(failure instanceof RequestRefusal)) throw failure;
      this.#socket.write(failure.answer);
      this.#close();
      return chunk.length;
    }
  }

  #behindStrayBytes(chunk: Buffer, start: number): number {
    let at = start;
    for (; this.#strayBytesLeft > 0 && at < chunk.length; at++, this.#strayBytesLeft--) {
      if (chunk[at] === 0x0d || chunk[at] === 0x0a) continue;
      this.#strayBytesLeft = 0;
      break;
    }
    return at;
  }

  #begin(text: string): void {
    const head = readHead(text);
    this.#hasServed = true;
    this.#periodsWaited = 0;
    this.#strayBytesLeft = head.method === 'POST' ? strayBytesMax : 0;
    const { peer, clock = systemClock } = this.#options;
    const reported = { onAnswered: this.#settle, onBodyRead: this.#regulate };
    const exchange = new Exchange(this.#socket, head, { peer, clock, ...reported });
    this.#exchange = exchange;
    if (exchange.hasUnknownExpectation) return exchange.answer(plain(417), 'close');
    if (head.method === 'OPTIONS' && head.path === '*') return this.#answer(exchange, plain(200));
    this.#serve(exchange);
  }

  #serve(exchange: Exchange): void {
    const { serve, log } = this.#options;
    const cut = (failure: unknown) => brokenStream(failure, log, () => this.#socket.destroy());
    try {
      const answer = serve(exchange.request);
      if (answer instanceof Promise) answer.then((one) => this.#answer(exchange, one)).catch(cut);
      else this.#answer(exchange, answer);
    } catch (failure) {
      cut(failure);
    }
  }

  #answer(exchange: Exchange, answer: ApiResponse): void {
    // A body that is still arriving passes to the new protocol with the connection.
    if (this.#isReading && answer.body.kind === 'upgrade')
      return queueMicrotask(() => this.#answer(exchange, answer));
    const isLast = this.#isLeaving || (this.#hasEnded && this.#unread.length === 0);
    if (this.#phase === 'over') exchange.drop(answer);
    else if (answer.body.kind === 'upgrade') this.#handOver(exchange, answer, answer.body.accept);
    else exchange.answer(answer, isLast ? 'close' : undefined);
  }

  /** Hands the connection to another protocol as if nothing had been read from it. */
  #handOver(
    exchange: Exchange,
    { status, headers }: ApiResponse,
    accept: (socket: unknown, sent: Uint8Array) => void,
  ): void {
    const socket = this.#socket;
    this.#phase = 'over';
    this.#exchange = undefined;
    socket
      .off('data', this.#receive)
      .off('end', this.#end)
      .off('drain', this.#drain)
      .off('close', this.#gone);
    socket.once('close', () => exchange.request.abort());
    const { peer, clock = systemClock } = this.#options;
    const sent = this.#unread.take();
    exchange.switchProtocol(status, headers);
    accept(new UpgradedConnection({ socket, sent, clock, owner: peer.owner ?? peer.address }), noBytes);
  }

  /** Runs whenever a response or a body may have ended, and proceeds accordingly. */
  readonly #settle = (): void => {
    const exchange = this.#exchange;
    if (exchange === undefined || !exchange.isAnswered || this.#phase !== 'open') return;
    if (exchange.isLast) return this.#close();
    if (!exchange.intake.isDone) {
      if (exchange.intake.isHopeless) this.#close();
      else this.#regulate();
      return;
    }
    // A client that sends requests without reading responses has to wait.
    if (this.#socket.writableNeedDrain) return;
    this.#exchange = undefined;
    exchange.request.abort();
    if (this.#isLeaving) return this.#close();
    if (this.#isReading) return;
    if (this.#unread.length > 0) return this.#read();
    if (this.#hasEnded) this.#close();
    this.#regulate();
  };

  /** Pauses or resumes reading, depending on the room for incoming bytes. */
  readonly #regulate = (): void => {
    const isFull =
      this.#phase === 'open' &&
      (this.#isWaiting || this.#unread.length >= aheadBytesMax || this.#exchange?.intake.isFull === true);
    if (isFull) this.#socket.pause();
    else if (this.#socket.isPaused() && this.#phase !== 'over') this.#socket.resume();
  };

  readonly #drain = (): void => {
    this.#exchange?.sink?.drain();
    this.#settle();
  };

  /** The client has half-closed the connection. Its requests are still executed, but endless responses are ended. */
  readonly #end = (): void => {
    this.#hasEnded = true;
    const exchange = this.#exchange;
    if (exchange === undefined) {
      if (!this.#head.isEmpty && this.#phase === 'open') this.#socket.write(new RequestRefusal(400).answer);
      this.#close();
    } else if (!exchange.intake.isDone) {
      exchange.intake.break();
      exchange.finish();
    } else if (this.#unread.length === 0) {
      exchange.finish();
    }
    this.#settle();
  };

  readonly #gone = (): void => {
    this.#phase = 'over';
    this.#unread.take();
    this.#exchange?.intake.break();
    this.#exchange?.abort();
  };

  /** Flushes what was written, then gives the client a moment to read it. */
  #close(): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'closing';
    this.#periodsWaited = 0;
    const socket = this.#socket;
    socket.once('finish', () => {
      const timer = systemClock.after(closingMsMax, () => socket.destroy(), { idle: true });
      socket.once('close', () => timer.cancel());
    });
    socket.end();
    socket.resume();
  }
}

const noBytes = new Uint8Array(0);

const plain = (status: number): ApiResponse => ({ status, headers: {}, body: emptyBody });

function ignore(): void {
  // The 'close' event that follows handles it.
}
