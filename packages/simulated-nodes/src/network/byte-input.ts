/** Standard input of commands: by chunk or by line. */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';

export class ByteInput {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #kept: Uint8Array = new Uint8Array(0);
  #isEnded = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  static of(...chunks: readonly Uint8Array[]): ByteInput {
    return new ByteInput(
      (async function* () {
        yield* chunks;
      })(),
    );
  }

  /** The available bytes; undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    const kept = this.#kept;
    this.#kept = new Uint8Array(0);
    return kept.length > 0 ? kept : this.#more();
  }

  /** A line without its newline; undefined at the end. @param charactersMax a longer line is cut there */
  async line(charactersMax = Infinity): Promise<string | undefined> {
    let text = '';
    for (;;) {
      const chunk = await this.read();
      if (chunk === undefined) return text === '' ? undefined : text;
      const end = chunk.indexOf(10);
      if (end >= 0) {
        this.#kept = chunk.subarray(end + 1);
        return text + this.#decoder.decode(chunk.subarray(0, end));
      }
      text += this.#decoder.decode(chunk, { stream: true });
      if (text.length >= charactersMax) return text;
    }
  }

  /** Exactly this many bytes, or fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let left = count;
    while (left > 0) {
      const chunk = await this.read();
      if (chunk === undefined) break;
      chunks.push(chunk.subarray(0, left));
      this.#kept = chunk.subarray(Math.min(left, chunk.length));
      left -= Math.min(left, chunk.length);
    }
    return joinedBytes(chunks);
  }

  /** Everything that is left. @throws Error beyond `bytesMax` */
  async rest(bytesMax: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new Error(`more than ${bytesMax} bytes of input`);
      chunks.push(chunk);
    }
    return joinedBytes(chunks);
  }

  async #more(): Promise<Uint8Array | undefined> {
    while (!this.#isEnded) {
      const next = await this.#source.next();
      if (next.done === true) this.#isEnded = true;
      else if (next.value.length > 0) return next.value;
    }
    return undefined;
  }
}
