import {
  ConnectionFailure,
  errorCodes,
  frameTypes,
  payloadBytesDefault,
  type Frame,
} from '../frames/frame.ts';

/** Frames of a block that are taken beyond what its size needs: clients fill all but the last. */
const framesExtra = 8;

/** A header block that goes on in the next frame; nothing else may come in between. */
export class UnfinishedHeaders {
  readonly isLast: boolean;
  readonly #streamId: number;
  readonly #bytesMax: number;
  #pieces: Buffer[];
  #bytes: number;

  /** @param listBytesMax what a list of fields may have; a block of twice as much is given up */
  constructor({ streamId, bytes, end }: Frame, start: number, isLast: boolean, listBytesMax: number) {
    this.#streamId = streamId;
    this.isLast = isLast;
    this.#bytesMax = listBytesMax * 2;
    // Copied, lest a small piece holds all that came with it.
    this.#pieces = [Buffer.from(bytes.subarray(start, end))];
    this.#bytes = end - start;
  }

  /** @throws ConnectionFailure */
  add({ type, streamId, bytes, start, end }: Frame): void {
    if (type !== frameTypes.continuation || streamId !== this.#streamId)
      throw new ConnectionFailure(errorCodes.protocol, 'headers are interrupted');
    this.#pieces.push(Buffer.from(bytes.subarray(start, end)));
    this.#bytes += end - start;
    if (
      this.#bytes > this.#bytesMax ||
      this.#pieces.length > this.#bytesMax / payloadBytesDefault + framesExtra
    )
      throw new ConnectionFailure(errorCodes.enhanceYourCalm, 'headers that don’t end');
  }

  block(): Buffer {
    return Buffer.concat(this.#pieces, this.#bytes);
  }
}
