/** `Storage.update` of a store that is elsewhere: decided here by what is believed, and written there if that still holds. */
import type { Change, Entry, UpdateOptions } from './storage.ts';

export type Write = Exclude<Change, { kind: 'keep' }>;

/** What the store elsewhere answers to a write: whether it was carried out, and what stands there now. */
export interface Attempt {
  readonly succeeded: boolean;
  readonly entry: Entry | undefined;
}

export interface RemoteEntry {
  /** @throws StorageError 'closed' */
  checkOpen(): void;
  get(): Promise<Entry | undefined>;
  /** Writes if what stands there is still `current`. */
  attempt(current: Entry | undefined, wanted: Write): Promise<Attempt>;
}

/** To delete what isn't there is to leave it as it is. */
const isWrite = (change: Change, current: Entry | undefined): change is Write =>
  change.kind === 'put' || (change.kind === 'delete' && current !== undefined);

/**
 * What the caller expects may be outdated, so what comes of it must not be final until the store agrees.
 * @throws what `change` throws when it was asked about what really stands there
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

/** What `change` wants, or that it failed on an entry that is outdated and has to be asked again. */
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
