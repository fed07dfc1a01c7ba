/** A connection between two threads over a message port: what one end writes, the other reads. */
import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { ownBytes } from '@coxswain/storage/port/port.ts';

type PortMessage =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The reader has room for more bytes. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'end' };

/** Closing the port without an end destroys the other end: the data is incomplete. */
export class PortSocket extends Duplex {
  readonly #port: MessagePort;
  #written: (() => void) | undefined;
  /** Whether the other end waits until the last bytes have been read. */
  #isOwed = false;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (message: PortMessage) => this.#receive(message));
    port.on('close', () => this.destroy());
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#written = done;
    const bytes = ownBytes(chunk);
    this.#post({ kind: 'bytes', bytes }, [bytes.buffer]);
  }

  override _final(done: () => void): void {
    this.#post({ kind: 'end' });
    done();
  }

  override _read(): void {
    if (!this.#isOwed) return;
    this.#isOwed = false;
    this.#post({ kind: 'taken' });
  }

  override _destroy(failure: Error | null, done: (failure: Error | null) => void): void {
    this.#port.close();
    done(failure);
  }

  #receive(message: PortMessage): void {
    if (message.kind === 'end') {
      this.push(null);
      return;
    }
    if (message.kind === 'taken') {
      const written = this.#written;
      this.#written = undefined;
      written?.();
      return;
    }
    this.#isOwed = true;
    if (this.push(message.bytes)) this._read();
  }

  #post(message: PortMessage, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}
