import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CompactionRequest,
  CompactionResponse,
  HashKvRequest,
  HashKvResponse,
  LeaseGrantRequest,
  LeaseGrantResponse,
  LeaseTimeToLiveRequest,
  LeaseTimeToLiveResponse,
  StatusRequest,
  StatusResponse,
  compareResults,
  compareTargets,
  sortOrders,
  sortTargets,
  watchFilters,
} from '@coxswain/storage/etcd/messages.ts';
import { bytes, openEtcd, shown, text, watchWithoutReading, type OpenEtcd } from './client.fixture.ts';

let etcd: OpenEtcd;
beforeEach(async () => {
  etcd = await openEtcd();
});
afterEach(() => etcd.close());

const all = { key: bytes('\0'), rangeEnd: bytes('\0') };
const refused = async (act: Promise<unknown>, code: number, message: string): Promise<void> => {
  await expect(act).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
};

describe('ranges', () => {
  beforeEach(async () => {
    for (const [key, value] of [
      ['a', '3'],
      ['b', '1'],
      ['c', '2'],
      ['a', '4'],
    ] as const)
      await etcd.put(key, value);
  });
  const listed = async (more: Parameters<OpenEtcd['range']>[0]): Promise<string[]> =>
    (await etcd.range({ ...all, ...more })).kvs.map(shown);

  test.each([
    ['by key, descending', { sortOrder: sortOrders.descend }, ['c=2@4', 'b=1@3', 'a=4@5']],
    ['by value', { sortTarget: sortTargets.value }, ['b=1@3', 'c=2@4', 'a=4@5']],
    [
      'by version, descending, the first',
      { sortTarget: sortTargets.version, sortOrder: sortOrders.descend, limit: 1 },
      ['a=4@5'],
    ],
    ['by modification', { sortTarget: sortTargets.mod }, ['b=1@3', 'c=2@4', 'a=4@5']],
    ['of keys only', { keysOnly: true }, ['a=@5', 'b=@3', 'c=@4']],
    ['modified since', { minModRevision: 4 }, ['a=4@5', 'c=2@4']],
    ['created until', { maxCreateRevision: 3 }, ['a=4@5', 'b=1@3']],
    ['at a revision', { revision: 3 }, ['a=3@2', 'b=1@3']],
    ['from a key on', { key: bytes('b') }, ['b=1@3', 'c=2@4']],
    ['of a key and an end', { key: bytes('a'), rangeEnd: bytes('c') }, ['a=4@5', 'b=1@3']],
    ['that are empty', { key: bytes('c'), rangeEnd: bytes('a') }, []],
  ])('%s', async (_, request, expected) => {
    expect(await listed(request)).toEqual(expected);
  });

  test('count what the limit leaves out', async () => {
    expect(await etcd.range({ ...all, limit: 2 })).toMatchObject({
      more: true,
      count: 3,
      header: { revision: 5 },
    });
    expect(await etcd.range({ ...all, limit: 3 })).toMatchObject({ more: false, count: 3 });
    expect(await etcd.range({ ...all, countOnly: true })).toMatchObject({ more: false, count: 3, kvs: [] });
  });

  test('of no key, of the future and of the past are refused in words of etcd', async () => {
    await refused(etcd.range({}), 3, 'etcdserver: key is not provided');
    await refused(
      etcd.range({ ...all, revision: 99 }),
      11,
      'etcdserver: mvcc: required revision is a future revision',
    );
    await refused(etcd.range({ ...all, sortTarget: 9 }), 3, 'etcdserver: invalid sort option');
    await etcd.call('KV/Compact', CompactionRequest, CompactionResponse, { revision: 4 });
    await refused(
      etcd.range({ ...all, revision: 3 }),
      11,
      'etcdserver: mvcc: required revision has been compacted',
    );
  });
});

describe('writes', () => {
  test('tell the value before, when asked', async () => {
    await etcd.put('a', '1');
    expect((await etcd.put('a', '2', { prevKv: true })).prevKv).toMatchObject({ value: bytes('1') });
    const { deleted, prevKvs } = await etcd.deleteRange({ key: bytes('a'), prevKv: true });
    expect(deleted).toBe(1);
    expect(prevKvs.map(shown)).toEqual(['a=2@3']);
  });

  test('can keep the value or the lease', async () => {
    await etcd.call('Lease/LeaseGrant', LeaseGrantRequest, LeaseGrantResponse, { id: 7n, ttl: 60 });
    await etcd.put('a', '1', { lease: 7n });
    await etcd.put('a', '2', { ignoreLease: true });
    await etcd.put('a', '', { ignoreValue: true, lease: 0n });
    const { kvs } = await etcd.range({ key: bytes('a') });
    expect(kvs[0]).toMatchObject({ value: bytes('2'), lease: 0n, version: 3 });
    await refused(etcd.put('a', 'x', { ignoreValue: true }), 3, 'etcdserver: value is provided');
    await refused(etcd.put('none', '', { ignoreValue: true }), 3, 'etcdserver: key not found');
    await refused(etcd.put('a', 'x', { lease: 99n }), 5, 'etcdserver: requested lease not found');
  });

  test('of binary keys and values come back byte by byte', async () => {
    const key = Uint8Array.from([0, 255, 128, 10]);
    const value = Uint8Array.from({ length: 256 }, (_, i) => i);
    await etcd.put('', '', { key, value });
    const { kvs } = await etcd.range(all);
    expect(Buffer.compare(kvs[0]!.key, key)).toBe(0);
    expect(Buffer.compare(kvs[0]!.value, value)).toBe(0);
  });

  test('are refused beyond the quota, reads and deletes are not', async () => {
    const small = await openEtcd({ quotaBytes: 1_000 });
    await small.put('a', 'x'.repeat(500));
    await refused(small.put('b', 'x'.repeat(600)), 8, 'etcdserver: mvcc: database space exceeded');
    await refused(small.put('b', '1'), 8, 'etcdserver: mvcc: database space exceeded');
    expect((await small.range(all)).count).toBe(1);
    expect((await small.deleteRange({ key: bytes('a') })).deleted).toBe(1);
    await small.close();
  });
});

describe('transactions', () => {
  const putOf = (key: string) => ({ put: { key: bytes(key), value: bytes('x') } });
  const puts = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => putOf(`${prefix}-${index}`));

  test('nest, and answer operation by operation', async () => {
    await etcd.put('a', '1');
    const { succeeded, responses } = await etcd.txn({
      compare: [
        { key: bytes('a'), target: compareTargets.value, result: compareResults.equal, value: bytes('1') },
      ],
      success: [
        { range: { key: bytes('a') } },
        putOf('b'),
        {
          txn: {
            compare: [
              { key: bytes('b'), target: compareTargets.version, result: compareResults.greater, version: 0 },
            ],
            success: [{ deleteRange: { key: bytes('a') } }],
          },
        },
      ],
    });

    expect(succeeded).toBe(true);
    expect(responses[0]!.range!.kvs.map(shown)).toEqual(['a=1@2']);
    expect(responses[1]!.put!.header).toMatchObject({ revision: 3, memberId: 0n });
    expect(responses[2]!.txn).toMatchObject({ succeeded: true });
    expect((await etcd.range(all)).kvs.map(shown)).toEqual(['b=x@3']);
  });

  test.each([
    ['that put a key twice', [putOf('a'), putOf('a')], 'duplicate key given in txn request'],
    ['that put and delete a key', [putOf('a'), { deleteRange: { key: bytes('a') } }], 'duplicate key'],
    ['that put a key in a nested one too', [putOf('a'), { txn: { success: [putOf('a')] } }], 'duplicate key'],
    ['of 129 operations', Array.from({ length: 129 }, (_, i) => putOf(String(i))), 'too many operations'],
    [
      'that have 129 on two levels',
      [...puts(64, 'outer'), { txn: { success: puts(64, 'inner') } }],
      'too many operations',
    ],
    ['without a key', [{ put: { value: bytes('x') } }], 'key is not provided'],
  ])('%s are refused', async (_, success, message) => {
    await refused(etcd.txn({ success }), 3, message);
    expect((await etcd.range(all)).count).toBe(0);
  });

  test('may put the same key on both sides', async () => {
    const nested = { txn: { success: [putOf('a')], failure: [putOf('a')] } };
    expect((await etcd.txn({ success: [nested], failure: [putOf('a')] })).succeeded).toBe(true);
  });
});

describe('watches', () => {
  test('share a stream, and are told apart by number', async () => {
    const watch = await etcd.watch();
    watch.send({ create: { key: bytes('a') } });
    expect(await watch.next()).toMatchObject({ watchId: 0, created: true, header: { revision: 1 } });
    watch.send({ create: { key: bytes('b'), rangeEnd: bytes('d'), watchId: 9 } });
    expect(await watch.next()).toMatchObject({ watchId: 9, created: true });
    watch.send({ create: { key: bytes('b'), watchId: 9 } });
    expect(await watch.next()).toMatchObject({
      canceled: true,
      cancelReason: expect.stringContaining('duplicate watch ID'),
    });
    await etcd.put('c', '1');
    expect(await watch.next()).toMatchObject({ watchId: 9 });
    await etcd.put('a', '1');
    expect(await watch.next()).toMatchObject({ watchId: 0 });
  });

  test('tell the value before, leave out what is filtered, and begin in the past', async () => {
    await etcd.put('a', '1');
    await etcd.put('a', '2');
    await etcd.deleteRange({ key: bytes('a') });
    const [whole, deletes] = [await etcd.watch(), await etcd.watch()];
    whole.send({ create: { key: bytes('a'), startRevision: 2, prevKv: true } });
    deletes.send({ create: { key: bytes('a'), startRevision: 2, filters: [watchFilters.noPut] } });

    expect(await whole.events()).toEqual(['put a=1@2', 'put a=2@3 was a=1@2', 'delete a=@4 was a=2@3']);
    expect(await deletes.events()).toEqual(['delete a=@4']);
  });

  test('of a revision to come wait for it', async () => {
    const watch = await etcd.watch();
    watch.send({ create: { key: bytes('a'), startRevision: 3 } });
    await watch.next();
    await etcd.put('a', '1');
    await etcd.put('a', '2');
    expect(await watch.events()).toEqual(['put a=2@3']);
  });

  test('of what is compacted are cancelled, and tell from where on one can watch', async () => {
    for (const value of ['1', '2', '3']) await etcd.put('a', value);
    await etcd.call('KV/Compact', CompactionRequest, CompactionResponse, { revision: 4 });
    const watch = await etcd.watch();
    watch.send({ create: { key: bytes('a'), startRevision: 2 } });
    expect(await watch.next()).toMatchObject({ created: true });
    expect(await watch.next()).toMatchObject({ canceled: true, compactRevision: 4 });
  });

  test('that are cancelled say so and are silent then', async () => {
    const watch = await etcd.watch();
    watch.send({ create: { key: bytes('a') } });
    await watch.next();
    watch.send({ cancel: { watchId: 0 } });
    expect(await watch.next()).toMatchObject({ watchId: 0, canceled: true });
    await etcd.put('a', '1');
    watch.send({ progress: {} });
    expect(await watch.next()).toMatchObject({ watchId: -1, events: [], header: { revision: 2 } });
  });

  test('that are idle hear of progress, when they ask for it', async () => {
    const watch = await etcd.watch();
    watch.send({ create: { key: bytes('a'), progressNotify: true } });
    await watch.next();
    await etcd.put('other', '1');
    await etcd.clock.advance(10 * 60 * 1000 + 1);
    expect(await watch.next()).toMatchObject({ watchId: 0, events: [], header: { revision: 2 } });
  });

  const large = 'x'.repeat(1_000_000);

  test('of a client that does not read go on where they were when it reads again', async () => {
    const watch = await watchWithoutReading(etcd.endpoint, { key: bytes('a') });
    for (let i = 0; i < 40; i++) await etcd.put('a', `${i}:${large}`);
    await etcd.put('a', 'last');
    const responses = await watch.read(({ events }) => events.some(({ kv }) => text(kv!.value) === 'last'));
    const seen = responses.flatMap(({ events }) => events.map(({ kv }) => text(kv!.value).split(':')[0]!));
    expect(seen).toEqual([...Array.from({ length: 40 }, (_, i) => String(i)), 'last']);
  });

  test('of a client that does not read are not buffered for: they end when the log is compacted', async () => {
    const watch = await watchWithoutReading(etcd.endpoint, { key: bytes('a') });
    for (let i = 0; i < 40; i++) await etcd.put('a', `${i}:${large}`);
    await etcd.call('KV/Compact', CompactionRequest, CompactionResponse, { revision: 41 });
    const responses = await watch.read(({ canceled }) => canceled);
    expect(responses.at(-1)).toMatchObject({ canceled: true, compactRevision: 41 });
    expect(responses.flatMap(({ events }) => events).length).toBeLessThan(40);
  });

  test('cut a large response in pieces, when they can put it together', async () => {
    const watch = await etcd.watch();
    for (let i = 0; i < 4; i++) await etcd.put('a', 'x'.repeat(1_000_000));
    watch.send({ create: { key: bytes('a'), startRevision: 2, fragment: true } });
    await watch.next();
    const pieces = [await watch.next(), await watch.next()];
    expect(pieces.map(({ fragment, events }) => [fragment, events.length])).toEqual([
      [true, 2],
      [false, 2],
    ]);
  });
});

test('leases tell how long they have, and end their keys', async () => {
  const { id } = await etcd.call('Lease/LeaseGrant', LeaseGrantRequest, LeaseGrantResponse, { ttl: 60 });
  await etcd.put('a', '1', { lease: id });
  const left = () =>
    etcd.call('Lease/LeaseTimeToLive', LeaseTimeToLiveRequest, LeaseTimeToLiveResponse, { id, keys: true });
  await etcd.clock.advance(20_000);
  expect(await left()).toMatchObject({ ttl: 40, grantedTtl: 60, keys: [bytes('a')] });
  await etcd.clock.advance(40_000);
  expect(await left()).toMatchObject({ ttl: -1 });
  expect((await etcd.range(all)).count).toBe(0);
});

test('a lease lives at least two seconds', async () => {
  const { ttl } = await etcd.call('Lease/LeaseGrant', LeaseGrantRequest, LeaseGrantResponse, { ttl: 0 });
  expect(ttl).toBe(2);
});

test('the status tells a version that clients know features by, and the one leader', async () => {
  const status = await etcd.call('Maintenance/Status', StatusRequest, StatusResponse, {});
  expect(status).toMatchObject({
    version: expect.stringMatching(/^3\.6\./),
    leader: status.header!.memberId,
  });
});

test('a hash tells stores and revisions apart', async () => {
  await etcd.put('a', '1');
  await etcd.put('a', '2');
  const hashAt = async (revision: number) =>
    (await etcd.call('Maintenance/HashKV', HashKvRequest, HashKvResponse, { revision })).hash;
  expect(await hashAt(2)).not.toBe(await hashAt(3));
  expect(await hashAt(0)).toBe(await hashAt(3));
});

describe('bad input', () => {
  test('unknown methods and what is not built are refused by name', async () => {
    await refused(
      etcd.channel.unary('/etcdserverpb.KV/Nope', bytes('')),
      12,
      'unknown method Nope for service etcdserverpb.KV',
    );
    await refused(etcd.channel.unary('/nope.Nope/Nope', bytes('')), 12, 'unknown service nope.Nope');
    const add = etcd.channel.unary('/etcdserverpb.Cluster/MemberAdd', bytes('\x0a\x0ahttp://a:1'));
    await refused(add, 12, 'cluster of a single member');
  });

  test('messages that are none are refused, and the connection goes on', async () => {
    for (const garbage of [
      '\x0a\xff\xff\xff\xff\x7f',
      '\x0b',
      '\x08\x01',
      '\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff',
    ]) {
      await refused(
        etcd.channel.unary('/etcdserverpb.KV/Range', Buffer.from(garbage, 'latin1')),
        13,
        'unmarshalling',
      );
    }
    expect((await etcd.range(all)).count).toBe(0);
  });

  test('a request larger than two megabytes is refused', async () => {
    await refused(etcd.put('a', 'x'.repeat(3_000_000)), 8, 'larger than max');
    await refused(etcd.put('a', 'x'.repeat(1_700_000)), 3, 'etcdserver: request is too large');
    await etcd.put('a', '1');
  });

  test('connections that say nonsense, or nothing, end alone', async () => {
    for (const nonsense of ['\0\0\0\0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense nonsense', 'GET', 'P']) {
      const socket = connect(etcd.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => void socket.write(nonsense, 'latin1', () => resolve()));
      socket.destroy();
    }
    expect((await etcd.range(all)).count).toBe(0);
  });
});

describe('plain HTTP on the same port', () => {
  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(`${etcd.endpoint}${path}`, { method });
    return `${answer.status} ${await answer.text()}`;
  };

  test('tells health and version, as etcd does', async () => {
    expect(await get('/health')).toBe('200 {"health":"true","reason":""}');
    expect(await get('/health', 'POST')).toBe('405 Method Not Allowed\n');
    expect(await get('/version')).toBe('200 {"etcdserver":"3.6.8","etcdcluster":"3.6.0","storage":"3.6.0"}');
    expect(await get('/livez?verbose')).toBe('200 [+]serializable_read ok\nok\n');
    expect(await get('/readyz')).toBe('200 ok\n');
    expect(await get('/metrics')).toContain('etcd_server_has_leader 1');
    expect(await get('/nope')).toBe('404 404 page not found\n');
  });
});
