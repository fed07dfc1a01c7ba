/** A body as it arrives, over any protocol: read as a whole up to a limit, or piece by piece. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { bodyTooLarge, type BodyStream } from './request-body.ts';

export class ArrivingBody implements BodyStream {
  readonly #declaredBytes: number | undefined;
  readonly #onTaken: (bytes: number) => void;
  /** Bytes that have arrived but were not read. */
  readonly #gathered = new GatheredBytes();
  #isEnded = false;
  #failure: Error | undefined;
  /** Whether the rest is discarded. */
  #isRefused = false;
  /** Whether a reader consumes pieces as they arrive. */
  isReadInPieces = false;
  /** Whether a reader consumes the whole body: bytes count as read when they arrive. */
  #readsAll = false;
  /** Wakes the reader that waits for more. */
  #wake: (() => void) | undefined;

  /**
   * @param declaredBytes the Content-Length, if given: a body that is too large is refused before it is read
   * @param onTaken called with the number of bytes read, so that as many can follow; with 0 when reading begins
   */
  constructor(declaredBytes: number | undefined, onTaken: (bytes: number) => void) {
    this.#declaredBytes = declaredBytes;
    this.#onTaken = onTaken;
  }

  add(bytes: Uint8Array): void {
    if (this.#isRefused) return;
    this.#gathered.add(bytes);
    if (this.#readsAll) this.#onTaken(bytes.length);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** Ends the body with an error; does nothing after its end. */
  fail(failure: Error = badRequest('unexpected EOF')): void {
    this.#failure ??= failure;
    this.#wake?.();
  }

  /** Discards the rest; a reader of pieces sees the end. */
  refuse(): void {
    this.#isRefused = true;
    this.#gathered.take();
    if (this.isReadInPieces) this.fail(new Error('the request was answered before its body had come'));
  }

  read(bytesMax: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        const isTooMuch = Math.max(this.#gathered.length, this.#declaredBytes ?? 0) > bytesMax;
        if (!isTooMuch && !this.#isEnded && this.#failure === undefined) return;
        this.#wake = undefined;
        if (isTooMuch) this.refuse();
        if (isTooMuch) reject(bodyTooLarge(bytesMax));
        else if (this.#isEnded) resolve(this.#gathered.take());
        else reject(this.#failure!);
      };
      this.#wake = goOn;
      goOn();
      if (this.#wake === undefined) return;
      this.#readsAll = true;
      this.#onTaken(this.#gathered.length);
    });
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, void> {
    this.isReadInPieces = true;
    this.#onTaken(0);
    for (;;) {
      const bytes = this.#gathered.take();
      if (bytes.length > 0) {
        yield bytes;
        this.#onTaken(bytes.length);
      } else if (this.#isEnded) {
        return;
      } else if (this.#failure !== undefined) {
        throw this.#failure;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }
}
