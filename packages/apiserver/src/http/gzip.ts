/** gzip at its fastest level, off the main thread: what the original uses for large answers. */
import { createGzip } from 'node:zlib';

/** The chunks one after the other, compressed. */
export function gzip(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stream = createGzip({ level: 1, chunkSize: 64 * 1024 });
    const compressed: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => compressed.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => resolve(Buffer.concat(compressed)));
    for (let from = 0; from < chunks.length;) {
      let to = from;
      for (let bytes = 0; to < chunks.length && bytes < blockBytes; to++) bytes += chunks[to]!.length;
      stream.write(Buffer.concat(chunks.slice(from, to) as Uint8Array[]));
      from = to;
    }
    stream.end();
  });
}

/** Each write goes to another thread and back: small chunks go together. */
const blockBytes = 1024 * 1024;
