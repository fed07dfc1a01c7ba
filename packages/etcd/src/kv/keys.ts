import type { Entry, KeyRange } from '@coxswain/storage';
import { bytesOf, endOfKeys } from '@coxswain/storage/key-bytes.ts';
import type { Input } from '@coxswain/protobuf';
import type { KeyValue } from '@coxswain/storage/etcd/messages.ts';

/** The byte string of a key (see `key-bytes.ts`), converted by Node's native code. */
export const keyOf = (bytes: Uint8Array): string =>
  (bytes instanceof Buffer ? bytes : Buffer.from(bytes)).toString('latin1');

/** A range as in requests: no end means one key, an end of a single zero byte means everything from the key on. */
export function rangeOf(key: Uint8Array, rangeEnd: Uint8Array): KeyRange | { readonly key: string } {
  const start = keyOf(key);
  if (rangeEnd.length === 0) return { key: start };
  const isOpen = rangeEnd.length === 1 && rangeEnd[0] === 0;
  return { start, end: isOpen ? endOfKeys : keyOf(rangeEnd) };
}

export const asKeyRange = (range: KeyRange | { readonly key: string }): KeyRange =>
  'key' in range ? { start: range.key, end: `${range.key}\0` } : range;

export const keyValueOf = (entry: Entry): Input<typeof KeyValue> => ({
  key: bytesOf(entry.key),
  createRevision: entry.createRevision,
  modRevision: entry.modRevision,
  version: entry.version,
  value: entry.value,
  lease: entry.leaseId ?? 0n,
});
