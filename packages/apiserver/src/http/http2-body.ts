/** A body that comes in over HTTP/2. The client may send on as fast as it is read, and no faster. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import type { ServerStream, StreamListener } from '@coxswain/http2';
import { GatheredBytes } from './gathered-bytes.ts';
import { bodyTooLarge } from './request-body.ts';
import type { BodyStream } from './request-body.ts';

export class Http2Body implements BodyStream, StreamListener {
  readonly #stream: ServerStream;
  /** What nobody has taken; no more than the stream's window while nobody reads. */
  readonly #gathered = new GatheredBytes();
  #isEnded = false;
  /** The rest is not wanted any more. */
  #isRefused = false;
  /** Reads all there is: bytes go back to the window when they come. */
  #readsAll = false;
  /** Who waits for more. */
  #wake: (() => void) | undefined;

  constructor(stream: ServerStream) {
    this.#stream = stream;
    stream.listener = this;
    stream.onClose(() => this.#wake?.());
  }

  onData(bytes: Uint8Array): void {
    if (this.#isRefused) return;
    this.#gathered.add(bytes);
    if (this.#readsAll) this.#stream.giveBack(bytes.length);
    this.#wake?.();
  }

  onEnd(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  read(bytesMax: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const goOn = (): void => {
        const isTooMuch = Math.max(this.#gathered.length, this.#stream.head.contentLength ?? 0) > bytesMax;
        if (!isTooMuch && !this.#isEnded && !this.#stream.isClosed) return;
        this.#wake = undefined;
        if (isTooMuch) this.#refuse();
        if (isTooMuch) reject(bodyTooLarge(bytesMax));
        else if (this.#isEnded) resolve(this.#gathered.take());
        else reject(badRequest('unexpected EOF'));
      };
      this.#readsAll = true;
      this.#stream.giveBack(this.#gathered.length);
      this.#wake = goOn;
      goOn();
    });
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const bytes = this.#gathered.take();
      if (bytes.length > 0) {
        yield bytes;
        this.#stream.giveBack(bytes.length);
      } else if (this.#isEnded) {
        return;
      } else if (this.#stream.isClosed) {
        throw badRequest('unexpected EOF');
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  #refuse(): void {
    this.#isRefused = true;
    this.#gathered.take();
  }
}
