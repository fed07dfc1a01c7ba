/** `node:stream`: Node's own streams, as the Node.js project publishes them for other platforms. */

import stream from 'readable-stream';

export const { Duplex, PassThrough, Readable, Transform, Writable, finished, pipeline } = stream;

export type Transform = InstanceType<typeof stream.Transform>;
type DuplexStream = InstanceType<typeof Duplex>;

/** Two ends of a connection: whatever is written to one can be read from the other. */
export function duplexPair(): [DuplexStream, DuplexStream] {
  const one = new End();
  const other = new End();
  one.other = other;
  other.other = one;
  return [one, other];
}

class End extends Duplex {
  other: End | undefined;
  #taken: (() => void) | undefined;

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    if (chunk.length === 0) return queueMicrotask(done);
    this.other!.push(chunk);
    this.other!.#taken = done;
  }

  override _final(done: () => void): void {
    this.other!.on('end', done);
    this.other!.push(null);
  }
}
