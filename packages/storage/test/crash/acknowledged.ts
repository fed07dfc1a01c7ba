import { checkStore } from '../../src/engine/lmdb/check-store.ts';
import { LmdbStorage } from '../../src/engine/lmdb/lmdb-storage.ts';
import { prefixRange, type EventBatch } from '../../src/storage.ts';

/** The writes that were acknowledged to `writer.ts`: by revision, the key and the size of its value (`-`: deleted). */
export type Acknowledged = Map<number, { readonly key: string; readonly size: string }>;

export function noteAcknowledged(lines: readonly string[], into: Acknowledged): void {
  for (const line of lines) {
    const [key, size, revision] = line.split(' ');
    if (revision !== undefined) into.set(Number(revision), { key: key!, size: size! });
  }
}

/**
 * Checks that the store has everything: every acknowledged write in the history is as it was acknowledged; no revision
 * is missing, and none is different; each key has its newest value; every checksum is valid. Returns the revision;
 * throws the problem.
 */
export async function checkAcknowledged(directory: string, acknowledged: Acknowledged): Promise<number> {
  const { problems } = await checkStore(directory);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const storage = new LmdbStorage({ directory, historyMsMax: 0 });
  try {
    const { currentRevision, compactedRevision, engine } = storage;
    const newest = Math.max(1, ...acknowledged.keys());
    if (currentRevision < newest)
      throw new Error(`revision ${newest} is lost: the newest is ${currentRevision}`);
    const past = engine.history(prefixRange('/crash/'), compactedRevision);
    checkPast(past, compactedRevision, currentRevision, acknowledged);
    checkPresent(storage, past, acknowledged);
    return currentRevision;
  } finally {
    await storage.close();
  }
}

function checkPast(
  past: readonly EventBatch[],
  after: number,
  until: number,
  acknowledged: Acknowledged,
): void {
  let expected = Math.max(after, 1);
  for (const { revision, events } of past) {
    if (revision !== ++expected) throw new Error(`revision ${expected} is missing`);
    const reported = acknowledged.get(revision);
    const { type, entry } = events[0]!;
    const stored = `${entry.key} ${type === 'delete' ? '-' : entry.value.length}`;
    if (reported !== undefined && `${reported.key} ${reported.size}` !== stored) {
      throw new Error(`revision ${revision} was ${reported.key} ${reported.size}, and is ${stored}`);
    }
  }
  if (expected !== Math.max(until, 1)) throw new Error(`the past ends at ${expected}, not at ${until}`);
}

/**
 * A key is written only by its writer and by the expiry of its lease, so its value is the newest acknowledged one, or a
 * newer one.
 */
function checkPresent(storage: LmdbStorage, past: readonly EventBatch[], acknowledged: Acknowledged): void {
  const newest = new Map<string, number>();
  for (const [revision, { key }] of acknowledged) newest.set(key, Math.max(revision, newest.get(key) ?? 0));
  for (const [key, revision] of newest) {
    const entry = storage.engine.get(key);
    const { size } = acknowledged.get(revision)!;
    const isChangedSince = past.some(
      (batch) => batch.revision > revision && batch.events.some((event) => event.entry.key === key),
    );
    if (isChangedSince || entry !== undefined ? (entry?.modRevision ?? revision) >= revision : size === '-')
      continue;
    throw new Error(`${key} of revision ${revision} (${size}) is lost`);
  }
}
