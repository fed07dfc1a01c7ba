/**
 * The contents of an etcd database besides the versions of keys, as required by `etcdutl snapshot restore` and etcd.
 */
import { field, encode } from '@coxswain/protobuf';
import type { TableView } from '@coxswain/storage/engine/table.ts';
import type { AuthState } from '../auth/auth-state.ts';
import { raftTerm, type Member } from '../member.ts';
import { versions as apiVersions } from '../versions.ts';
import { authBuckets } from './auth-rows.ts';
import type { BucketContent, Row } from './bbolt-file.ts';
import { versionKey, type Version } from './retained-versions.ts';
import type { Spool } from './spool.ts';

const LeaseRow = { id: field(1, 'id'), ttl: field(2, 'int64') };

/** All buckets of etcd 3.6 by name. */
export function etcdDatabase(
  view: TableView,
  versions: readonly Version[],
  spool: Spool,
  member: Member,
  auth: AuthState,
): readonly BucketContent[] {
  return [
    { name: 'alarm', rows: [] },
    ...authBuckets(auth),
    { name: 'cluster', rows: [row('clusterVersion', Buffer.from(apiVersions.etcdcluster))] },
    { name: 'key', rows: versionRows(versions, spool) },
    { name: 'lease', rows: leaseRows(view) },
    { name: 'members', rows: [memberRow(member)] },
    { name: 'members_removed', rows: [] },
    { name: 'meta', rows: metaRows(view, member) },
  ];
}

const row = (key: string, value: Buffer): Row => ({ key: Buffer.from(key), value });

function* versionRows(versions: readonly Version[], spool: Spool): Generator<Row, void, void> {
  for (const version of versions) {
    yield { key: versionKey(version), value: spool.read(version.at, version.length) };
  }
}

const leaseRows = (view: TableView): readonly Row[] =>
  view.leases
    .map(({ id, ttlSeconds }) => ({
      key: number64(id),
      value: Buffer.from(encode(LeaseRow, { id, ttl: ttlSeconds })),
    }))
    .sort((a, b) => Buffer.compare(a.key, b.key));

function memberRow({ memberId, name, peerUrls, clientUrls }: Member): Row {
  // The number exceeds the exact integers of JSON, so it is inserted as text.
  const rest = JSON.stringify({ peerURLs: peerUrls, name, clientURLs: clientUrls });
  return row(memberId.toString(16), Buffer.from(`{"id":${memberId},${rest.slice(1)}`));
}

function metaRows({ revision, compactedRevision }: TableView, { memberId }: Member): readonly Row[] {
  const compacted = versionKey({ revision: compactedRevision, operation: 0, isTombstone: false });
  const compaction = [row('finishedCompactRev', compacted), row('scheduledCompactRev', compacted)];
  return [
    row('confState', Buffer.from(`{"voters":[${memberId}],"auto_leave":false}`)),
    row('consistent_index', number64(BigInt(revision))),
    ...(compactedRevision > 0 ? compaction : []),
    row('storageVersion', Buffer.from(apiVersions.storage)),
    row('term', number64(BigInt(raftTerm))),
  ].sort((a, b) => Buffer.compare(a.key, b.key));
}

function number64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
  return bytes;
}
