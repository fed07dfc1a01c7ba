/** A cluster as a file: the snapshot that `coxswain storage snapshot` saves and restores. */

import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { MemoryStorage, StorageError } from '@coxswain/storage';
import { decodeSnapshot } from '@coxswain/storage/engine/snapshot/snapshot-format.ts';
import type { ClusterSnapshot } from '../storage/cluster-storage.ts';

export interface ClusterFile {
  readonly snapshot: ClusterSnapshot;
  /** The latest time that its objects mention. */
  readonly nowMs: number;
  readonly nodeNames: readonly string[];
}

/** Times that lie in the past for every kind; others, such as the end of a certificate, may lie ahead. */
const times = /"(?:creationTimestamp|time|renewTime)":"([^"]{20,27})"/g;
const nodeKey = /^\/registry\/minions\/([^/]+)$/;

/** @throws Error for a file that is no snapshot, or is damaged */
export async function readClusterFile(bytes: Uint8Array): Promise<ClusterFile> {
  const nodeNames: string[] = [];
  let nowMs = 0;
  try {
    for await (const item of decodeSnapshot(once(bytes))) {
      if (item.kind !== 'entry') continue;
      const [, name] = nodeKey.exec(item.entry.key) ?? [];
      if (name !== undefined) nodeNames.push(name);
      for (const [, time] of new TextDecoder().decode(item.entry.value).matchAll(times))
        nowMs = Math.max(nowMs, Date.parse(time!) || 0);
    }
    const storage = await MemoryStorage.restored(once(bytes));
    const snapshot = { revision: storage.currentRevision, inMemory: storage.snapshot() };
    return { snapshot, nowMs, nodeNames };
  } catch (failure) {
    if (!(failure instanceof StorageError)) throw failure;
    throw new Error(`from: the file is not the snapshot of a cluster: ${failure.message}`, {
      cause: failure,
    });
  }
}

export const writeClusterFile = async ({ inMemory }: ClusterSnapshot): Promise<Uint8Array> =>
  joinedBytes(await Array.fromAsync(inMemory!));

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
