/** Collects bytes up to the blank line that ends a head. */
import { GatheredBytes } from '../gathered-bytes.ts';
import { headTooLarge } from './refusal.ts';

/** Each line counts as this many bytes more, as headers do over HTTP/2: short ones take as long to read as longer ones. */
const bytesBesideLine = 32;

export class HeadReader {
  readonly #bytesMax: number;
  readonly #gathered = new GatheredBytes();
  /** Of the current line: its length and its last byte. */
  #lineBytes = 0;
  #last = 0;
  #lines = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether no byte of a head has arrived. */
  get isEmpty(): boolean {
    return this.#gathered.length === 0;
  }

  /**
   * Returns the head, one character per byte, when its end is in `chunk`; the bytes after it begin at `end`.
   * @throws RequestRefusal when it is too long
   */
  take(chunk: Buffer, start: number): { readonly text: string | undefined; readonly end: number } {
    const end = this.#endIn(chunk, start);
    const bytes = this.#gathered.length + (end ?? chunk.length) - start;
    if (bytes + this.#lines * bytesBesideLine > this.#bytesMax) throw headTooLarge();
    if (end !== undefined) this.#lines = 0;
    if (this.isEmpty && end !== undefined)
      return { text: withoutEnd(chunk.toString('latin1', start, end)), end };
    this.#gathered.add(chunk.subarray(start, end));
    if (end === undefined) return { text: undefined, end: chunk.length };
    const head = this.#gathered.take();
    return {
      text: withoutEnd(Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1')),
      end,
    };
  }

  /** The offset after the first blank line, which has at most a CR before its LF. */
  #endIn(chunk: Buffer, start: number): number | undefined {
    let from = start;
    for (let at = chunk.indexOf(lineFeed, from); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const length = this.#lineBytes + at - from;
      const before = at > from ? chunk[at - 1]! : this.#last;
      this.#lineBytes = 0;
      this.#lines++;
      from = at + 1;
      if (length === 0 || (length === 1 && before === carriageReturn)) return from;
    }
    if (chunk.length > from) this.#last = chunk.at(-1)!;
    this.#lineBytes += chunk.length - from;
    return undefined;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const withoutEnd = (text: string): string => text.replace(/(?:\r?\n){1,2}$/, '');
