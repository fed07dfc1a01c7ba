import type { Engine, Revision } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import { crc32c } from './crc32c.ts';
import { retainedVersions, versionKey, type Version } from './retained-versions.ts';
import { Spool } from './spool.ts';
import { periodicYield } from './periodic-yield.ts';

const bucketName = Buffer.from('key');

export interface HashKv {
  readonly hash: number;
  readonly hashRevision: Revision;
  /** -1 before the first compaction. */
  readonly compactRevision: Revision;
}

/**
 * etcd's hash of all versions up to a revision, where 0 means the newest. It equals that of a member with the same
 * history.
 */
export async function hashKv(engine: Engine, until: Revision, scratchDirectory?: string): Promise<HashKv> {
  if (until > engine.revision) throw etcdError('futureRevision');
  if (until > 0 && until < engine.compactedRevision) throw etcdError('compacted');
  const view = engine.view();
  const spool = new Spool(scratchDirectory);
  try {
    const hashRevision = until === 0 ? view.revision : until;
    const turns = periodicYield();
    const versions = await retainedVersions(view, spool);
    const isHashed = hashedAt(versions, hashRevision, view.compactedRevision);
    let hash = crc32c(bucketName);
    for (const version of versions) {
      if (!isHashed(version)) continue;
      hash = crc32c(spool.read(version.at, version.length), crc32c(versionKey(version), hash));
      await turns.next();
    }
    return { hash, hashRevision, compactRevision: view.compactedRevision || -1 };
  } finally {
    view.release();
    spool.close();
  }
}

/**
 * The versions that etcd hashes at a revision: all up to it, but of those kept by the last compaction only the ones
 * that are still current at the revision, unless there are none.
 */
function hashedAt(
  versions: readonly Version[],
  at: Revision,
  compacted: Revision,
): (version: Version) => boolean {
  const stands = (version: Version): boolean =>
    !version.isTombstone && version.revision <= at && version.replacedAt > at;
  const isAnythingLeft = versions.some(stands);
  return (version) =>
    version.revision <= at && (version.revision > compacted || !isAnythingLeft || stands(version));
}
