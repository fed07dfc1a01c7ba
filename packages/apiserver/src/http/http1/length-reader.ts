/** A body with a declared length. */
import type { BodyReader } from './body-reader.ts';

export class LengthReader implements BodyReader {
  bytesLeft: number;

  constructor(bytes: number) {
    this.bytesLeft = bytes;
  }

  get isDone(): boolean {
    return this.bytesLeft === 0;
  }

  take(chunk: Buffer, start: number, onData: (bytes: Uint8Array) => void): number {
    const end = Math.min(chunk.length, start + this.bytesLeft);
    this.bytesLeft -= end - start;
    if (end > start) onData(chunk.subarray(start, end));
    return end;
  }
}
