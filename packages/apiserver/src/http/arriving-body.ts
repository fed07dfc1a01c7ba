/** A body as it comes in, whichever protocol brings it: read whole up to a bound, or piece by piece. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { bodyTooLarge, type BodyStream } from './request-body.ts';

export class ArrivingBody implements BodyStream {
  readonly #declaredBytes: number | undefined;
  readonly #onTaken: (bytes: number) => void;
  /** What nobody has taken. */
  readonly #gathered = new GatheredBytes();
  #isEnded = false;
  #failure: Error | undefined;
  /** The rest is not wanted any more. */
  #isRefused = false;
  /** Somebody takes pieces as they come. */
  isReadInPieces = false;
  /** Somebody reads all there is: bytes are taken when they come. */
  #readsAll = false;
  /** Who waits for more. */
  #wake: (() => void) | undefined;

  /**
   * @param declaredBytes Content-Length, where the client told it: too much is refused before it is read
   * @param onTaken hears how much was read, so that as much can follow; with 0 that somebody begins to
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

  /** There will be no more; does nothing after the end. */
  fail(failure: Error = badRequest('unexpected EOF')): void {
    this.#failure ??= failure;
    this.#wake?.();
  }

  /** Whoever takes it in pieces hears that no more are to come. */
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
