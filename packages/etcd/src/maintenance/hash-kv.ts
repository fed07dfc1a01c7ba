import type { Engine, Revision } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/grpc-status.ts';
import { crc32c } from './crc32c.ts';
import { retainedVersions, versionKey } from './retained-versions.ts';
import { Spool } from './spool.ts';
import { turnsOf } from './turns.ts';

const bucketName = Buffer.from('key');

export interface HashKv {
  readonly hash: number;
  readonly hashRevision: Revision;
  /** -1 before the first compaction. */
  readonly compactRevision: Revision;
}

/** etcd's hash of all versions up to a revision, 0 for the newest: equal to that of a member with the same history. */
export async function hashKv(engine: Engine, until: Revision, scratchDirectory?: string): Promise<HashKv> {
  if (until > engine.revision) throw etcdError('futureRevision');
  if (until > 0 && until < engine.compactedRevision) throw etcdError('compacted');
  const view = engine.view();
  const spool = new Spool(scratchDirectory);
  try {
    const hashRevision = until === 0 ? view.revision : until;
    const turns = turnsOf();
    let hash = crc32c(bucketName);
    for (const version of await retainedVersions(view, spool)) {
      if (version.revision > hashRevision) break;
      hash = crc32c(spool.read(version.at, version.length), crc32c(versionKey(version), hash));
      await turns.next();
    }
    return { hash, hashRevision, compactRevision: view.compactedRevision || -1 };
  } finally {
    view.release();
    spool.close();
  }
}
