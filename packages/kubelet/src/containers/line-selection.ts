/**
 * Selects what a client sees of a container's log. Works on bytes as they arrive, so that neither their encoding nor the
 * length of lines matters.
 */
import type { LogOptions } from '../connection.ts';
import { parseLogLine } from './log-line.ts';

const newline = 0x0a;
const space = 0x20;
/** More than `<time> <stream> <tags> ` ever takes. */
const headBytesMax = 256;
const end = Buffer.from('\n');
const nothing = Buffer.alloc(0);

type Place =
  /** Within `<time> <stream> <tags> `, of which this much has arrived. */
  | { readonly kind: 'head'; readonly bytes: Buffer }
  | {
      readonly kind: 'text';
      readonly isShown: boolean;
      readonly isEmpty: boolean;
      /** Undefined in what is no line, such as one that is only partly written. */
      readonly isPartial: boolean | undefined;
    };

const atStart: Place = { kind: 'head', bytes: nothing };

export class LineSelection {
  readonly #options: LogOptions;
  #place: Place = atStart;
  /** False within a long line, which runtimes divide. */
  #isNewLine = true;
  #bytesLeft: number;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#bytesLeft = options.limitBytes ?? Infinity;
  }

  get isFull(): boolean {
    return this.#bytesLeft <= 0;
  }

  take(chunk: Buffer): Uint8Array {
    const shown: Buffer[] = [];
    for (let rest = chunk; rest.length > 0;) rest = this.#takePart(rest, shown);
    const bytes = shown.length === 1 ? shown[0]! : Buffer.concat(shown);
    const taken = bytes.length > this.#bytesLeft ? bytes.subarray(0, this.#bytesLeft) : bytes;
    this.#bytesLeft -= taken.length;
    return taken;
  }

  /** @returns what follows in the chunk */
  #takePart(chunk: Buffer, shown: Buffer[]): Buffer {
    const place = this.#place;
    if (place.kind === 'head') return this.#takeHead(place.bytes, chunk, shown);
    const at = chunk.indexOf(newline);
    const text = at < 0 ? chunk : chunk.subarray(0, at);
    if (place.isShown && text.length > 0) shown.push(text);
    this.#place = { ...place, isEmpty: place.isEmpty && text.length === 0 };
    if (at < 0) return nothing;
    this.#endLine(shown);
    return chunk.subarray(at + 1);
  }

  #takeHead(before: Buffer, chunk: Buffer, shown: Buffer[]): Buffer {
    const bytes = Buffer.concat([before, chunk.subarray(0, headBytesMax)]);
    const lineEnd = bytes.indexOf(newline);
    const head = headLength(lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd));
    if (head === undefined && lineEnd < 0 && bytes.length < headBytesMax) {
      this.#place = { kind: 'head', bytes };
      return nothing;
    }
    const length = head ?? (lineEnd < 0 ? bytes.length : lineEnd);
    this.#beginText(bytes.toString('latin1', 0, length), shown);
    return chunk.subarray(length - before.length);
  }

  #beginText(head: string, shown: Buffer[]): void {
    const line = parseLogLine(head);
    const { sinceMs = -Infinity, timestamps, stream = 'all' } = this.#options;
    const isShown =
      line !== undefined &&
      !(Date.parse(line.time) < sinceMs) &&
      ['all', line.stream].includes(stream.toLowerCase());
    if (isShown && timestamps && this.#isNewLine) shown.push(Buffer.from(`${line.time} `));
    this.#place = { kind: 'text', isShown, isPartial: line?.isPartial, isEmpty: true };
  }

  #endLine(shown: Buffer[]): void {
    if (this.#place.kind !== 'text') return;
    const { isShown, isPartial, isEmpty } = this.#place;
    if (isShown && !isPartial) shown.push(end);
    if (isPartial !== undefined) this.#isNewLine = !isPartial || isEmpty;
    this.#place = atStart;
  }
}

/** Of `<time> <stream> <tags> `; undefined while it is not complete. */
function headLength(line: Buffer): number | undefined {
  let at = -1;
  for (let spaces = 0; spaces < 3; spaces++) {
    at = line.indexOf(space, at + 1);
    if (at < 0) return undefined;
  }
  return at + 1;
}
