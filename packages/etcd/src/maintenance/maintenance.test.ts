import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  AlarmRequest,
  AlarmResponse,
  AuthRoleGrantPermissionRequest,
  AuthUserAddRequest,
  AuthUserRoleRequest,
  CompactionRequest,
  CompactionResponse,
  HashKvRequest,
  HashKvResponse,
  HashRequest,
  HashResponse,
  HeaderOnlyResponse,
  KeyValue,
  NameRequest,
  SnapshotRequest,
  SnapshotResponse,
  alarmActions,
} from '@coxswain/storage/etcd/messages.ts';
import { decode, encode } from '@coxswain/protobuf';
import { bytes, openEtcd, text, type OpenEtcd } from '../client.fixture.ts';
import { crc32c } from './crc32c.ts';

let etcd: OpenEtcd;
beforeEach(async () => {
  etcd = await openEtcd();
});
afterEach(() => etcd.close());

const hashAt = async (revision: number): Promise<number> =>
  (await etcd.call('Maintenance/HashKV', HashKvRequest, HashKvResponse, { revision })).hash;
const compact = (revision: number) =>
  etcd.call('KV/Compact', CompactionRequest, CompactionResponse, { revision });
const remove = (key: string) => etcd.deleteRange({ key: bytes(key) });
const putOf = (key: string, value: string) => ({ put: { key: bytes(key), value: bytes(value) } });

/** The history whose hashes below were obtained from etcd 3.6.8. */
async function recordedHistory(): Promise<void> {
  for (const i of [1, 2, 3, 4, 5, 6]) await etcd.put(`k${i}`, `v${i}`);
  await remove('k2');
  await etcd.put('k1', 'again');
  await etcd.put('k2', 'back');
  await remove('k3');
  await etcd.txn({
    success: [putOf('z', '1'), putOf('a', '2'), { deleteRange: { key: bytes('k4') } }],
  });
  await etcd.txn({ success: [putOf('z', '3'), putOf('b', '2')] });
  await etcd.deleteRange({ key: bytes('\0'), rangeEnd: bytes('\0') });
  for (const i of [7, 8, 9]) await etcd.put(`k${i}`, 'v');
  await etcd.put('big', 'x'.repeat(9000));
  await etcd.put('k7', 'x');
}

test('the checksum is the one of Castagnoli', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
});

test('hashes are those that etcd gives for the same history, before compactions and after', async () => {
  await recordedHistory();
  expect(await Promise.all([0, 5, 9, 12, 14].map(hashAt))).toEqual([
    3749463074, 2481320837, 975454866, 1268868389, 145638633,
  ]);
  await compact(9);
  expect(await Promise.all([0, 10, 12].map(hashAt))).toEqual([203428689, 3249498378, 1727800635]);
  await compact(14);
  expect(await hashAt(0)).toBe(703646130);
  await etcd.put('k7', 'y');
  await compact(18);
  expect(await hashAt(0)).toBe(486078421);
  await expect(hashAt(17)).rejects.toMatchObject({ code: 11, message: expect.stringContaining('compacted') });
  await expect(hashAt(99)).rejects.toMatchObject({ code: 11, message: expect.stringContaining('future') });
});

async function snapshot(): Promise<Buffer> {
  const stream = await etcd.channel.stream('/etcdserverpb.Maintenance/Snapshot');
  stream.send(encode(SnapshotRequest, {}));
  const blobs: Uint8Array[] = [];
  for await (const message of stream) {
    const { blob, remainingBytes } = decode(SnapshotResponse, message);
    blobs.push(Uint8Array.from(blob));
    if (remainingBytes === 0 && blob.length === 32) break;
  }
  stream.cancel();
  return Buffer.concat(blobs);
}

interface Page {
  readonly kind: number;
  readonly elements: readonly { readonly key: Buffer; readonly value: Buffer; readonly page: number }[];
}

/** Reads a page as bbolt does. */
function pageOf(file: Buffer, number: number): Page {
  const at = number * 4096;
  expect(file.readBigUInt64LE(at)).toBe(BigInt(number));
  const kind = file.readUInt16LE(at + 8);
  const elements = Array.from({ length: file.readUInt16LE(at + 10) }, (_, index) => {
    const element = at + 16 + index * 16;
    const isLeaf = kind === 2;
    const keyAt = element + file.readUInt32LE(element + (isLeaf ? 4 : 0));
    const valueAt = keyAt + file.readUInt32LE(element + (isLeaf ? 8 : 4));
    const valueBytes = isLeaf ? file.readUInt32LE(element + 12) : 0;
    return {
      key: file.subarray(keyAt, valueAt),
      value: file.subarray(valueAt, valueAt + valueBytes),
      page: isLeaf ? 0 : Number(file.readBigUInt64LE(element + 8)),
    };
  });
  return { kind, elements };
}

function rowsOf(file: Buffer, root: number): readonly { readonly key: Buffer; readonly value: Buffer }[] {
  const { kind, elements } = pageOf(file, root);
  return kind === 2 ? elements : elements.flatMap(({ page }) => rowsOf(file, page));
}

test('a snapshot is a database of etcd with all versions in order, and its checksum', async () => {
  for (let i = 0; i < 300; i++) await etcd.put(`key/${i}`, 'v'.repeat(i === 150 ? 20_000 : 100));
  await remove('key/7');
  const whole = await snapshot();
  const file = whole.subarray(0, -32);
  expect(createHash('sha256').update(file).digest().equals(whole.subarray(-32))).toBe(true);

  const buckets = rowsOf(file, Number(file.readBigUInt64LE(16 + 16)));
  expect(buckets.map(({ key }) => text(key))).toEqual([
    'alarm',
    'auth',
    'authRoles',
    'authUsers',
    'cluster',
    'key',
    'lease',
    'members',
    'members_removed',
    'meta',
  ]);
  const versions = rowsOf(file, Number(buckets[5]!.value.readBigUInt64LE(0)));
  expect(versions.length).toBe(301);
  expect(versions.map(({ key }) => Number(key.readBigUInt64BE(0)))).toEqual(
    Array.from({ length: 301 }, (_, index) => index + 2),
  );
  expect(decode(KeyValue, versions[150]!.value)).toMatchObject({ modRevision: 152, version: 1 });
  expect(versions[150]!.value.length).toBeGreaterThan(20_000);
  expect(versions.at(-1)!.key.at(-1)).toBe('t'.charCodeAt(0));
});

test('a snapshot has users and roles, with passwords as etcd keeps them', async () => {
  await etcd.call('Auth/RoleAdd', NameRequest, HeaderOnlyResponse, { name: 'reader' });
  const permission = { type: 0, key: bytes('a'), rangeEnd: bytes('b') };
  await etcd.call('Auth/RoleGrantPermission', AuthRoleGrantPermissionRequest, HeaderOnlyResponse, {
    name: 'reader',
    permission,
  });
  await etcd.call('Auth/UserAdd', AuthUserAddRequest, HeaderOnlyResponse, {
    name: 'ann',
    password: 'geheim',
  });
  await etcd.call('Auth/UserGrantRole', AuthUserRoleRequest, HeaderOnlyResponse, {
    user: 'ann',
    role: 'reader',
  });
  const file = (await snapshot()).subarray(0, -32);
  const [, auth, roles, users] = rowsOf(file, Number(file.readBigUInt64LE(16 + 16))).map(({ value }) =>
    rowsOf(file, Number(value.readBigUInt64LE(0))),
  );

  expect(auth!.map(({ key, value }) => [text(key), value.toString('hex')])).toEqual([
    ['authEnabled', '00'],
    ['authRevision', '0000000000000005'],
  ]);
  // Messages of authpb: a name and a permission with its range; a name, a hash and a role.
  expect(roles!.map(({ value }) => value.toString('latin1'))).toEqual([
    '\n\x06reader\x12\x06\x12\x01a\x1a\x01b',
  ]);
  const [user] = users!;
  const [name, hash, rest] = user!.value.toString('latin1').split(/(?=\$2a)|(?<=[./A-Za-z0-9]{53})/);
  expect(name).toBe('\n\x03ann\x12<');
  expect(rest!.startsWith('\x1a\x06reader')).toBe(true);
  expect(hash).toMatch(/^\$2a\$10\$[./A-Za-z0-9]{53}$/);
});

test('the hash of the database is that of a snapshot’s rows, without what depends on its moment', async () => {
  await recordedHistory();
  const file = (await snapshot()).subarray(0, -32);
  let hash = 0;
  for (const bucket of rowsOf(file, Number(file.readBigUInt64LE(16 + 16)))) {
    hash = crc32c(bucket.key, hash);
    for (const { key, value } of rowsOf(file, Number(bucket.value.readBigUInt64LE(0))))
      if (!['consistent_index', 'storageVersion', 'term'].includes(text(key)))
        hash = crc32c(value, crc32c(key, hash));
  }

  expect((await etcd.call('Maintenance/Hash', HashRequest, HashResponse, {})).hash).toBe(hash);
});

test('an alarm stops puts until it is disarmed, and is told by health and status', async () => {
  const alarm = (action: number, number = 0) =>
    etcd.call('Maintenance/Alarm', AlarmRequest, AlarmResponse, { action, alarm: number });
  const health = async () => (await fetch(`${etcd.endpoint}/health`)).text();
  expect((await alarm(alarmActions.activate, 1)).alarms).toMatchObject([{ alarm: 1 }]);
  await expect(etcd.put('a', '1')).rejects.toMatchObject({ code: 8 });
  expect((await alarm(alarmActions.get)).alarms.length).toBe(1);
  expect(await health()).toBe('{"health":"false","reason":"ALARM NOSPACE"}');
  expect(await (await fetch(`${etcd.endpoint}/health?exclude=NOSPACE`)).text()).toContain('"true"');

  expect((await alarm(alarmActions.deactivate)).alarms.length).toBe(1);
  await etcd.put('a', '1');
  expect(await health()).toBe('{"health":"true","reason":""}');
});
