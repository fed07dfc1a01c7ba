/** etcd's own snapshot format: its database, followed by its SHA-256 in the last 32 bytes. */
import { createHash } from 'node:crypto';
import { decode } from '@coxswain/protobuf';
import { StorageError } from '../storage.ts';
import { SnapshotResponse } from './messages.ts';

const sumBytes = 32;

/** Passes the bytes on. @throws StorageError 'corrupt' at the end when the checksum differs */
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
