/** The store of an all-in-one cluster, and the snapshots to which it can be restored. */

import type { Clock, StepObserver } from '@coxswain/apimachinery';
import { MemoryStorage, StorageError } from '@coxswain/storage';
import type { EngineStorage } from '@coxswain/storage/engine/engine-storage.ts';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { MemorySnapshot } from '@coxswain/storage/engine/memory/memory-storage.ts';
import { rewind } from '@coxswain/storage/engine/rewind.ts';

/**
 * The contents of a cluster at one moment. Cheap to keep in memory; on disk it depends on how far back the history
 * reaches.
 */
export interface ClusterSnapshot {
  /** The newest resourceVersion in it. */
  readonly revision: number;
  /** Undefined for a store on disk, whose history is in its file. */
  readonly inMemory?: MemorySnapshot;
}

export type ClusterStorage = EngineStorage;

export interface ClusterStorageOptions {
  readonly clock: Clock;
  readonly storageDirectory?: string | undefined;
  readonly durability?: Durability | undefined;
  readonly log?: ((line: string) => void) | undefined;
  /** How long changes are kept, and at most how many. Defaults to the storage's own limits. */
  readonly history?: ClusterHistory | undefined;
  readonly observer?: StepObserver | undefined;
}

export interface ClusterHistory {
  readonly ms: number;
  readonly revisionsMax: number;
}

export async function openClusterStorage(options: ClusterStorageOptions): Promise<ClusterStorage> {
  const { clock, storageDirectory, durability, log, history, observer } = options;
  const past = history && { historyMsMax: history.ms, historyRevisionsMax: history.revisionsMax };
  if (storageDirectory === undefined) return new MemoryStorage({ clock, observer, ...past });
  const { LmdbStorage } = await import('@coxswain/storage/engine/lmdb/lmdb-storage.ts');
  return new LmdbStorage({
    directory: storageDirectory,
    clock,
    observer,
    ...past,
    ...(durability && { durability }),
    ...(log && { log }),
  });
}

export const snapshotOf = (storage: ClusterStorage): ClusterSnapshot => ({
  revision: storage.currentRevision,
  ...(storage instanceof MemoryStorage && { inMemory: storage.snapshot() }),
});

/**
 * A store in memory is replaced at once, whatever its size; a store on disk reverts what was written since.
 * @throws Error if the store no longer has the history, or never had it
 */
export async function putBack(storage: ClusterStorage, snapshot: ClusterSnapshot): Promise<void> {
  if (storage instanceof MemoryStorage) return storage.reset(memoryOf(snapshot));
  try {
    await rewind(storage.engine, snapshot.revision);
  } catch (failure) {
    if (!(failure instanceof StorageError) || failure.kind !== 'compacted') throw failure;
    throw new Error(
      `the snapshot of resourceVersion ${snapshot.revision} is too old: the history of the store on disk starts at ${failure.revision}`,
      { cause: failure },
    );
  }
}

/** Returns a separate store that starts with the snapshot. @throws Error for a store on disk */
export const forkedFrom = (snapshot: ClusterSnapshot, clock: Clock): ClusterStorage =>
  new MemoryStorage({ clock }, memoryOf(snapshot));

function memoryOf({ inMemory }: ClusterSnapshot): MemorySnapshot {
  if (inMemory !== undefined) return inMemory;
  throw new Error('only in-memory clusters can be forked; this snapshot is of a store on disk');
}
