import { createHash } from 'node:crypto';
import type { Engine } from '@coxswain/storage';
import { SnapshotRequest, SnapshotResponse } from '@coxswain/storage/etcd/messages.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import type { AuthState } from '../auth/auth-state.ts';
import type { StreamCall } from '@coxswain/grpc/server/method.ts';
import type { Header, Member } from '../member.ts';
import { versions } from '../versions.ts';
import { writeBboltFile } from './bbolt-file.ts';
import { etcdDatabase } from './etcd-database.ts';
import { retainedVersions } from './retained-versions.ts';
import type { SnapshotPlace, SnapshotLimiter } from './snapshot-limiter.ts';
import { Spool } from './spool.ts';
import { periodicYield } from './periodic-yield.ts';

/** As in etcd; clients do not depend on it. */
const chunkBytes = 32 * 1024;
/** How much a client may leave unread before the next chunk is delayed. */
const unsentBytesMax = 1024 * 1024;

type Call = StreamCall<Decoded<typeof SnapshotRequest>, Input<typeof SnapshotResponse>>;

export interface SnapshotOptions {
  readonly engine: Engine;
  readonly member: Member;
  readonly header: () => Header;
  readonly auth: () => AuthState;
  readonly places: SnapshotLimiter;
  /** The directory of the file while it is made and sent. */
  readonly scratchDirectory?: string | undefined;
}

/** Sends the current contents as a database of etcd, followed by its SHA-256. */
export async function sendSnapshot(call: Call, options: SnapshotOptions): Promise<void> {
  const place = options.places.take();
  try {
    await sendFile(call, options, place);
  } finally {
    place.leave();
  }
}

async function sendFile(call: Call, options: SnapshotOptions, place: SnapshotPlace): Promise<void> {
  const file = new Spool(options.scratchDirectory);
  try {
    await writeDatabase(file, options);
    const hash = createHash('sha256');
    const send = (blob: Buffer, remainingBytes: number): void =>
      call.send({ header: options.header(), remainingBytes, blob, version: versions.storage });
    const turns = periodicYield();
    for (let at = 0; at < file.bytes && !call.signal.aborted; at += chunkBytes) {
      const blob = file.read(at, Math.min(chunkBytes, file.bytes - at));
      hash.update(blob);
      send(blob, file.bytes - at - blob.length);
      if (call.unsentBytes > unsentBytesMax) await drained(call, place);
      await turns.next();
    }
    send(hash.digest(), 0);
  } finally {
    file.close();
  }
}

async function writeDatabase(file: Spool, options: SnapshotOptions): Promise<void> {
  const spool = new Spool(options.scratchDirectory);
  const view = options.engine.view();
  try {
    const retained = await retainedVersions(view, spool);
    await writeBboltFile(file, etcdDatabase(view, retained, spool, options.member, options.auth()));
  } finally {
    view.release();
    spool.close();
  }
}

async function drained(call: Call, place: SnapshotPlace): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const go = () => resolve();
  place.wait(reject);
  call.onDrain(go);
  call.signal.addEventListener('abort', go, { once: true });
  try {
    await promise;
  } finally {
    call.signal.removeEventListener('abort', go);
    place.goOn();
  }
}
