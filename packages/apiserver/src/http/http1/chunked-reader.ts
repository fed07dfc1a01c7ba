/** A chunked body (RFC 9112, section 7.1), with the limits and messages of Go's `net/http`. */
import { GatheredBytes } from '../gathered-bytes.ts';
import { bodyFault, type BodyReader } from './body-reader.ts';

/** The limit of a line with a size and extensions, and of all trailers together. */
const lineBytesMax = 4096;

/** The limit of overhead: many small chunks or long extensions. */
const overheadBytesMax = 16 * 1024;
const overheadBytesFree = 16;

/** The number of parts (each chunk has three) that are read at a time: tiny ones cost as much as large ones. */
const partsAtOnce = 128;

type Part = 'size' | 'data' | 'data end' | 'trailers' | 'done';

export class ChunkedReader implements BodyReader {
  #part: Part = 'size';
  #line = new GatheredBytes();
  #trailerBytes = 0;
  #dataLeft = 0;
  #overheadBytes = 0;

  get isDone(): boolean {
    return this.#part === 'done';
  }

  get bytesLeft(): number {
    return this.isDone ? 0 : this.#dataLeft + 1;
  }

  take(chunk: Buffer, start: number, onData: (bytes: Uint8Array) => void): number {
    let at = start;
    for (let parts = 0; parts < partsAtOnce && at < chunk.length && !this.isDone; parts++) {
      if (this.#part === 'data') at = this.#takeData(chunk, at, onData);
      else at = this.#takeLine(chunk, at);
    }
    return at;
  }

  #takeData(chunk: Buffer, start: number, onData: (bytes: Uint8Array) => void): number {
    const end = Math.min(chunk.length, start + this.#dataLeft);
    this.#dataLeft -= end - start;
    if (this.#dataLeft === 0) this.#part = 'data end';
    onData(chunk.subarray(start, end));
    return end;
  }

  #takeLine(chunk: Buffer, start: number): number {
    const feed = chunk.indexOf(lineFeed, start);
    const end = feed < 0 ? chunk.length : feed + 1;
    this.#line.add(chunk.subarray(start, end));
    // Where the data should have ended, no longer line is acceptable.
    if (this.#part === 'data end' && this.#line.length > 2) throw bodyFault('malformed chunked encoding');
    if (this.#line.length > lineBytesMax) throw bodyFault('header line too long');
    if (feed < 0) return end;
    const bytes = this.#line.take();
    this.#endLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
    return end;
  }

  #endLine(line: string): void {
    switch (this.#part) {
      case 'size':
        return this.#beginChunk(line);
      case 'data end':
        if (line !== '\r\n') throw bodyFault('malformed chunked encoding');
        this.#part = 'size';
        return;
      default:
        return this.#endTrailer(line);
    }
  }

  #beginChunk(line: string): void {
    const bytes = sizeIn(line);
    this.#overheadBytes = Math.max(this.#overheadBytes + line.length - overheadBytesFree - 2 * bytes, 0);
    if (this.#overheadBytes > overheadBytesMax)
      throw bodyFault('chunked encoding contains too much non-data');
    this.#dataLeft = bytes;
    this.#part = bytes === 0 ? 'trailers' : 'data';
  }

  /** Trailers are ignored, but their end must be found. */
  #endTrailer(line: string): void {
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > lineBytesMax)
      throw bodyFault('http: suspiciously long trailer after chunked body');
    if (/^\r?\n$/.test(line)) this.#part = 'done';
    else if (!trailer.test(line)) throw bodyFault(`malformed MIME header line: ${line.trimEnd()}`);
  }
}

const lineFeed = 0x0a;

// oxlint-disable-next-line no-control-regex -- none of them is part of a value
const trailer = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\0-\x08\x0a-\x1f\x7f]*\r?\n$/;

/** @throws StatusError for an invalid size */
function sizeIn(line: string): number {
  const end = line.indexOf('\r');
  if (end < 0) throw bodyFault('chunked line ends with bare LF');
  if (end !== line.length - 2) throw bodyFault('invalid CR in chunked line');
  const [digits = ''] = line.slice(0, end).split(';');
  const hex = digits.replace(/[ \t]+$/, '');
  if (hex === '') throw bodyFault('empty hex number for chunk length');
  if (!/^[0-9a-f]+$/i.test(hex)) throw bodyFault('invalid byte in chunk length');
  if (hex.length > hexDigitsMax) throw bodyFault('http chunk length too large');
  return Number.parseInt(hex, 16);
}

/** As many as fit into an exact number; Go accepts 16. */
const hexDigitsMax = 13;
