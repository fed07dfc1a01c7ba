import type { Entry, Revision } from '@coxswain/storage';
import type { TableView } from '@coxswain/storage/engine/table.ts';
import { KeyValue } from '@coxswain/storage/etcd/messages.ts';
import { encode } from '@coxswain/protobuf';
import { bytesOf } from '@coxswain/storage/key-bytes.ts';
import { keyValueOf } from '../kv/keys.ts';
import type { Spool } from './spool.ts';
import { periodicYield } from './periodic-yield.ts';

/** One row of etcd's bucket `key`: the state of a key from a revision on, or its deletion. */
export interface Version {
  readonly revision: Revision;
  /** The index among the operations of the revision. */
  readonly operation: number;
  readonly isTombstone: boolean;
  /** The revision that replaced it; Infinity for a current version. */
  readonly replacedAt: Revision;
  /** The position of its encoded KeyValue in the spool. */
  readonly at: number;
  readonly length: number;
}

/**
 * All versions that etcd would have after the same history and compaction, in order: the state at the compacted
 * revision and everything after it. Of earlier writes, the index within a transaction is no longer known; the order of
 * keys is used instead.
 */
export async function retainedVersions(view: TableView, spool: Spool): Promise<readonly Version[]> {
  const { compactedRevision } = view;
  const turns = periodicYield();
  const versions: Version[] = [];
  const operations = new Map<string, number>();
  const add = (version: Omit<Version, 'at' | 'length'>, message: Uint8Array): void => {
    versions.push({ ...version, at: spool.append(message), length: message.length });
  };
  const addEntry = (entry: Entry, replacedAt: Revision): void => {
    const { modRevision: revision, key } = entry;
    const operation = operations.get(placeKey(revision, key)) ?? unknownPlace;
    add({ revision, operation, isTombstone: false, replacedAt }, encode(KeyValue, keyValueOf(entry)));
  };

  let revision = 0;
  let operation = 0;
  for (const record of view.records()) {
    operation = record.revision === revision ? operation + 1 : 0;
    revision = record.revision;
    if (record.type === 'put') operations.set(placeKey(revision, record.key), operation);
    if (revision > compactedRevision) {
      if (record.previous !== undefined) addEntry(record.previous, revision);
      if (record.type === 'delete') {
        const tombstone = { revision, operation, isTombstone: true, replacedAt: Infinity };
        add(tombstone, encode(KeyValue, { key: bytesOf(record.key) }));
      }
    }
    await turns.next();
  }
  for (const entry of view.entries()) {
    addEntry(entry, Infinity);
    await turns.next();
  }
  return numbered(versions.sort((a, b) => a.revision - b.revision || a.operation - b.operation));
}

const unknownPlace = -1;
const placeKey = (revision: Revision, key: string): string => `${revision}/${key}`;

/** Sorting is stable: versions with an unknown index stay in the order of their keys. */
function numbered(versions: readonly Version[]): readonly Version[] {
  let revision = 0;
  let count = 0;
  return versions.map((version) => {
    count = version.revision === revision ? count + 1 : 0;
    revision = version.revision;
    return version.operation === unknownPlace ? { ...version, operation: count } : version;
  });
}

const revisionBytes = 17;

/** The format of keys in the bucket: revision, `_`, index, and `t` for a deletion. */
export function versionKey({
  revision,
  operation,
  isTombstone,
}: Pick<Version, 'revision' | 'operation' | 'isTombstone'>): Buffer {
  const bytes = Buffer.alloc(revisionBytes + Number(isTombstone));
  bytes.writeBigUInt64BE(BigInt(revision), 0);
  bytes[8] = 0x5f;
  bytes.writeBigUInt64BE(BigInt(operation), 9);
  if (isTombstone) bytes[revisionBytes] = 0x74;
  return bytes;
}
