import type { Engine } from '@coxswain/storage';
import type { AuthState } from '../auth/auth-state.ts';
import type { Member } from '../member.ts';
import { crc32c } from './crc32c.ts';
import { etcdDatabase } from './etcd-database.ts';
import { retainedVersions } from './retained-versions.ts';
import { Spool } from './spool.ts';
import { periodicYield } from './periodic-yield.ts';

export interface HashedDatabase {
  readonly engine: Engine;
  readonly member: Member;
  readonly auth: () => AuthState;
  readonly scratchDirectory?: string | undefined;
}

/** Keys of the bucket `meta` that depend on when a snapshot was taken, as in etcd. */
const ignored: ReadonlySet<string> = new Set(['consistent_index', 'storageVersion', 'term']);

/**
 * etcd's hash of a whole database: the names of buckets and their rows. They include the member and its addresses, so
 * no two clusters have the same hash.
 */
export async function hashDatabase(options: HashedDatabase): Promise<number> {
  const { engine, member, auth, scratchDirectory } = options;
  const view = engine.view();
  const spool = new Spool(scratchDirectory);
  try {
    const turns = periodicYield();
    let hash = 0;
    const versions = await retainedVersions(view, spool);
    for (const { name, rows } of etcdDatabase(view, versions, spool, member, auth())) {
      hash = crc32c(Buffer.from(name), hash);
      for (const { key, value } of rows) {
        await turns.next();
        if (name === 'meta' && ignored.has(key.toString())) continue;
        hash = crc32c(value, crc32c(key, hash));
      }
    }
    return hash;
  } finally {
    view.release();
    spool.close();
  }
}
