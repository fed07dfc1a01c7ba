import type { FlushBuffer } from './flush-buffer.ts';

/** Called when the bytes were handed on; never called if the stream is reset first. */
export type Written = () => void;

interface Piece {
  readonly bytes: Uint8Array;
  readonly written: Written | undefined;
}

/** Data that a stream has to send, in the pieces in which it was written. */
export class PieceQueue {
  #pieces: Piece[] = [];
  #first = 0;
  /** The offset in the first piece. */
  #taken = 0;
  bytes = 0;

  push(bytes: Uint8Array, written: Written | undefined): void {
    this.#pieces.push({ bytes, written });
    this.bytes += bytes.length;
  }

  /** Moves the first `length` bytes; `written` receives the callbacks of completed pieces. */
  moveTo(target: FlushBuffer, length: number, written: Written[]): void {
    this.bytes -= length;
    for (let left = length; left > 0;) {
      const piece = this.#pieces[this.#first]!;
      const here = piece.bytes.length - this.#taken;
      const count = Math.min(here, left);
      target.add(
        count === piece.bytes.length ? piece.bytes : piece.bytes.subarray(this.#taken, this.#taken + count),
      );
      left -= count;
      if (count < here) this.#taken += count;
      else this.#next(piece, written);
    }
    if (this.bytes === 0) this.clear();
    else if (this.#first > forgottenMax) this.#forgetTaken();
  }

  clear(): void {
    if (this.#pieces.length > 0) this.#pieces = [];
    this.#first = this.#taken = this.bytes = 0;
  }

  #next(piece: Piece, written: Written[]): void {
    if (piece.written !== undefined) written.push(piece.written);
    this.#first++;
    this.#taken = 0;
  }

  #forgetTaken(): void {
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }
}

/** Sent pieces that are still referenced. */
const forgottenMax = 64;
