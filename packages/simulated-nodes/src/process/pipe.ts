/** The pipe between two commands, which run at the same time. */
import type { Clock } from '@coxswain/apimachinery';
import { ByteInput } from '../network/byte-input.ts';
import type { ByteOutput } from './simulated-process.ts';
import { passTurn } from './turns.ts';

/** A writer waits while more than this is unread, as on Linux. */
const pipeBytesMax = 65_536;

export class Pipe {
  #input: ByteInput | undefined;
  #unread: Uint8Array[] = [];
  #bytes = 0;
  #isEnded = false;
  #isLeft = false;
  #changed = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<void>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get input(): ByteInput {
    return (this.#input ??= new ByteInput(this.chunks()));
  }

  /** Resolves when something was written that nobody will read, which ends the writer. */
  get broken(): Promise<void> {
    return this.#broken.promise;
  }

  readonly output: ByteOutput = async (bytes) => {
    if (!this.#isLeft) {
      this.#unread.push(bytes);
      this.#bytes += bytes.length;
      this.#tell();
    }
    while (!this.#isLeft && this.#bytes > pipeBytesMax) await this.#changed.promise;
    await passTurn(this.#clock);
    if (!this.#isLeft) return;
    this.#broken.resolve();
    // The writer does not continue.
    await new Promise<never>(() => undefined);
  };

  /** The writer has ended. */
  end(): void {
    this.#isEnded = true;
    this.#tell();
  }

  /** The reader has ended. */
  leave(): void {
    this.#isLeft = true;
    this.#unread = [];
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#unread.shift();
      if (chunk !== undefined) {
        this.#bytes -= chunk.length;
        this.#tell();
        yield chunk;
        await passTurn(this.#clock);
      } else if (this.#isEnded) return;
      else await this.#changed.promise;
    }
  }
}
