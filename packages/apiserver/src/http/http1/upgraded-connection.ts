/**
 * A connection that was handed over to another protocol. What its client sends is read in slices, in turns of its
 * owner: a protocol may have much to do for few bytes, such as a reply to each of ten thousand frames in one packet.
 */
import { Duplex } from 'node:stream';
import type { Clock } from '@coxswain/apimachinery';
import { inSlices } from '@coxswain/apimachinery/slices.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { UnreadInput } from './unread-input.ts';

export interface UpgradedOptions {
  readonly socket: Duplex;
  /** What the client has sent ahead. */
  readonly sent: Uint8Array;
  readonly clock: Clock;
  readonly owner: string;
}

/** The limit of bytes that wait here; beyond it nothing is read from the socket. */
const unreadBytesMax = 64 * 1024;

/** Pieces grow while reading them takes no longer than this, and shrink otherwise. */
const pieceMsMax = 0.05;
const pieceBytesMin = 512;
const pieceBytesMax = 64 * 1024;

export class UpgradedConnection extends Duplex {
  readonly #socket: Duplex;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #unread = new UnreadInput();
  #pieceBytes = pieceBytesMin;
  #isWanted = false;
  #isPassing = false;
  /** Whether the client has sent all that it is going to. */
  #hasEnded = false;

  constructor({ socket, sent, clock, owner }: UpgradedOptions) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#clock = clock;
    this.#owner = owner;
    this.#unread.add(Buffer.from(sent));
    // Whoever writes need not listen: the 'close' event follows.
    this.on('error', () => undefined);
    // The end is passed on after what was sent before it.
    socket.allowHalfOpen = true;
    socket.on('data', (chunk: Buffer) => {
      this.#unread.add(chunk);
      this.#pass();
      this.#regulate();
    });
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#pass();
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => {
      // Without an end the client was cut off.
      if (!this.#hasEnded || this.#unread.length === 0) this.destroy();
    });
  }

  /** What is pushed in here would be read later, outside the slice. */
  override _read(): void {
    this.#isWanted = true;
    if (!this.#isPassing && this.#unread.length > 0) queueMicrotask(this.#pass);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    this.#socket.write(chunk, written);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    written: (error?: Error | null) => void,
  ): void {
    this.#socket.cork();
    for (const [at, { chunk }] of chunks.entries())
      this.#socket.write(chunk, at === chunks.length - 1 ? written : undefined);
    this.#socket.uncork();
  }

  override _final(ended: () => void): void {
    this.#socket.end(ended);
  }

  override _destroy(error: Error | null, destroyed: (error?: Error | null) => void): void {
    this.#socket.destroy();
    this.#unread.take();
    destroyed(error);
  }

  readonly #pass = (): void => {
    if (this.#isPassing || this.destroyed) return;
    this.#isPassing = true;
    const passed = inSlices(this.#passPiece, this.#clock, this.#owner, true);
    if (passed === undefined) this.#settle();
    else whenFulfilled(passed, this.#settle);
  };

  get #canPass(): boolean {
    return this.#isWanted && this.#unread.length > 0 && !this.destroyed;
  }

  /** Whether nothing more can be passed at present. */
  readonly #passPiece = (): boolean => {
    if (!this.#canPass) return true;
    const beganMs = this.#clock.monotonic();
    this.#unread.read((chunk, start) => {
      const end = Math.min(start + this.#pieceBytes, chunk.length);
      this.#isWanted = this.push(chunk.subarray(start, end));
      return end;
    });
    const isShort = this.#clock.monotonic() - beganMs <= pieceMsMax;
    this.#pieceBytes = isShort
      ? Math.min(this.#pieceBytes * 2, pieceBytesMax)
      : Math.max(this.#pieceBytes / 2, pieceBytesMin);
    return !this.#canPass;
  };

  readonly #settle = (): void => {
    this.#isPassing = false;
    if (this.#canPass) return this.#pass();
    if (this.#hasEnded && this.#unread.length === 0 && !this.destroyed) this.push(null);
    this.#regulate();
  };

  #regulate(): void {
    if (this.#unread.length >= unreadBytesMax) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }
}
