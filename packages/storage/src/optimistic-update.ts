/** `Storage.update` of a remote store: decided here on the presumed state, and written if that is still current. */
import type { Change, Entry, UpdateOptions } from './storage.ts';

export type Write = Exclude<Change, { kind: 'keep' }>;

/** The remote store's response to a write: whether it was executed, and the current entry. */
export interface Attempt {
  readonly succeeded: boolean;
  readonly entry: Entry | undefined;
}

export interface RemoteEntry {
  /** @throws StorageError 'closed' */
  checkOpen(): void;
  get(): Promise<Entry | undefined>;
  /** Writes if the stored entry is still `current`. */
  attempt(current: Entry | undefined, wanted: Write): Promise<Attempt>;
}

/** Deleting a missing key leaves it as it is. */
const isWrite = (change: Change, current: Entry | undefined): change is Write =>
  change.kind === 'put' || (change.kind === 'delete' && current !== undefined);

/**
 * The caller's expectation may be outdated, so no result is final until the store confirms it.
 * @throws the error of `change` when it was called with the actual entry
 */
export async function updateOptimistically(
  remote: RemoteEntry,
  change: (current: Entry | undefined) => Change | Promise<Change>,
  { expected, expectsNone = false, signal }: UpdateOptions,
): Promise<Entry | undefined> {
  signal?.throwIfAborted();
  let isVerified = expected === undefined && !expectsNone;
  let current = isVerified ? await remote.get() : expected;
  for (;;) {
    const wanted = await decide(remote, change, current, isVerified);
    const writes = wanted !== 'outdated' && isWrite(wanted, current);
    if (wanted === 'outdated' || (!writes && !isVerified)) {
      const newest = await remote.get();
      isVerified = true;
      if (wanted !== 'outdated' && newest?.modRevision === current?.modRevision) return current;
      current = newest;
      continue;
    }
    if (!isWrite(wanted, current)) return current;
    signal?.throwIfAborted();
    const attempt = await remote.attempt(current, wanted);
    if (attempt.succeeded) return attempt.entry;
    current = attempt.entry;
    isVerified = true;
  }
}

/** The result of `change`, or that it failed on an outdated entry and has to be called again. */
async function decide(
  remote: RemoteEntry,
  change: (current: Entry | undefined) => Change | Promise<Change>,
  current: Entry | undefined,
  isVerified: boolean,
): Promise<Change | 'outdated'> {
  remote.checkOpen();
  try {
    return await change(current);
  } catch (failure) {
    if (isVerified) throw failure;
    const newest = await remote.get();
    if (newest?.modRevision === current?.modRevision) throw failure;
    return 'outdated';
  }
}
