/** Over TCP, messages are preceded by their length in two bytes (RFC 1035, 4.2.2). */

const lengthBytes = 2;

export function framed(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(lengthBytes + message.length);
  frame[0] = message.length >>> 8;
  frame[1] = message.length & 0xff;
  frame.set(message, lengthBytes);
  return frame;
}

/** Passes on each complete message; never buffers more than one message and a chunk. */
export class FrameReader {
  readonly #onMessage: (message: Uint8Array) => void;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(onMessage: (message: Uint8Array) => void) {
    this.#onMessage = onMessage;
  }

  read(chunk: Uint8Array): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= lengthBytes) {
      const end = lengthBytes + ((bytes[0]! << 8) | bytes[1]!);
      if (bytes.length < end) break;
      this.#onMessage(bytes.subarray(lengthBytes, end));
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}
