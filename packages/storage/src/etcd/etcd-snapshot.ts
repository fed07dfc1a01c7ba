/** An etcd's own snapshot: its database, and the SHA-256 of it in the last 32 bytes. */
import { createHash } from 'node:crypto';
import { decode } from '@coxswain/protobuf';
import { StorageError } from '../storage.ts';
import { SnapshotResponse } from './messages.ts';

const sumBytes = 32;

/** The bytes as they come. @throws StorageError 'corrupt' at the end, where the sum is another one */
export async function* whole(messages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256');
  let last: Uint8Array = new Uint8Array(0);
  for await (const message of messages) {
    const { blob } = decode(SnapshotResponse, message);
    last = Buffer.concat([last, blob]);
    hash.update(last.subarray(0, -sumBytes));
    last = last.subarray(-sumBytes);
    yield blob;
  }
  if (!hash.digest().equals(last))
    throw new StorageError('corrupt', 'the snapshot of the etcd is cut off, or its checksum is another one');
}
