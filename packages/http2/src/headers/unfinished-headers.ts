import {
  ConnectionFailure,
  errorCodes,
  frameTypes,
  payloadBytesDefault,
  type Frame,
} from '../frames/frame.ts';

/** The number of frames of a block beyond what its size requires: clients fill all but the last. */
const framesExtra = 8;

/** A header block that continues in the next frame; no other frame may come in between. */
export class UnfinishedHeaders {
  readonly isLast: boolean;
  readonly #streamId: number;
  readonly #bytesMax: number;
  #pieces: Buffer[];
  #bytes: number;

  /** @param listBytesMax the maximum size of a header list; a block of twice that size ends the connection */
  constructor({ streamId, bytes, end }: Frame, start: number, isLast: boolean, listBytesMax: number) {
    this.#streamId = streamId;
    this.isLast = isLast;
    this.#bytesMax = listBytesMax * 2;
    // Copied, so that a small fragment does not keep the whole chunk in memory.
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
