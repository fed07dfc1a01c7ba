/** Clients that send requests without reading the responses. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { ManualClock } from '@coxswain/apimachinery';
import { frame } from '@coxswain/grpc/frames.ts';
import { UnreadResponses, unreadPatienceMs } from '@coxswain/grpc/server/unread-responses.ts';
import type { ServerStream } from '@coxswain/http2';
import {
  LeaseKeepAliveRequest,
  RangeRequest,
  RangeResponse,
  SnapshotRequest,
  WatchRequest,
  sortOrders,
  sortTargets,
} from '@coxswain/storage/etcd/messages.ts';
import { encode } from '@coxswain/protobuf';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bytes, openEtcd, text } from './client.fixture.ts';
import { piecesOfRange } from './kv/range.ts';
import { SnapshotLimiter, snapshotPatienceMs, snapshotsMax } from './maintenance/snapshot-limiter.ts';

/** Windows of size zero keep all responses on the server. */
function deafSession(endpoint: string): ClientHttp2Session {
  const session = connect(endpoint, { settings: { initialWindowSize: 0 } });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

function ask(session: ClientHttp2Session, method: string): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/etcdserverpb.${method}`,
    'content-type': 'application/grpc',
  });
  return stream.on('error', () => undefined);
}

const endOf = (stream: ClientHttp2Stream): Promise<number | undefined> =>
  new Promise((resolve) => void stream.on('close', () => resolve(stream.rstCode)));

const statusOf = (stream: ClientHttp2Stream): Promise<unknown> =>
  new Promise((resolve) => {
    const reported = (headers: Record<string, unknown>): void => {
      if (headers['grpc-status'] !== undefined) resolve(headers['grpc-message']);
    };
    stream.on('response', reported).on('trailers', reported).resume();
  });

const everything = frame(encode(RangeRequest, { key: Uint8Array.of(0), rangeEnd: Uint8Array.of(0) }));

test.each([
  ['Watch/Watch', encode(WatchRequest, { create: { key: bytes('a'), watchId: 5 } })],
  ['Watch/Watch', encode(WatchRequest, { progress: {} })],
  ['Lease/LeaseKeepAlive', encode(LeaseKeepAliveRequest, { id: 5n })],
])('a client that reads none of its answers on %s may not ask for ever more', async (method, message) => {
  const etcd = await openEtcd();
  onTestFinished(() => etcd.close());
  const stream = ask(deafSession(etcd.endpoint), method);
  const one = frame(message);
  const requests = Buffer.alloc(one.length * Math.ceil((4 * 1024 * 1024) / one.length), one);

  let written = false;
  stream.write(requests, () => (written = true));
  for (let round = 0; round < 100; round++) await etcd.put('beside', 'it');

  expect(written).toBe(false);
});

test('responses that nobody reads are given up for others, the oldest first', async () => {
  const etcd = await openEtcd({ unreadBytesMax: 1024 * 1024 });
  onTestFinished(() => etcd.close());
  await etcd.put('large', 'x'.repeat(400_000));
  const session = deafSession(etcd.endpoint);
  const ended: number[] = [];
  const ends = Array.from({ length: 4 }, (_, at) => {
    const stream = ask(session, 'KV/Range');
    stream.end(everything);
    return endOf(stream).then((code) => (ended.push(at), code));
  });
  // A range of one key waits for none of them.
  let reader: Promise<{ readonly count: number }> | undefined;
  while (ended.length < 4) {
    if (ended.length > 0) reader ??= etcd.range({ key: bytes('a'), rangeEnd: bytes('z') });
    expect((await etcd.range({ key: bytes('large') })).kvs[0]!.value.length).toBe(400_000);
    await etcd.clock.advance(unreadPatienceMs);
  }

  const enhanceYourCalm = 0x0b;
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 4 }, () => enhanceYourCalm));
  expect(ended).toEqual([0, 1, 2, 3]);
  expect((await reader)!.count).toBe(1);
});

test('long responses are made one after the other, with a turn of the event loop in between', async () => {
  const unread = new UnreadResponses(1024 * 1024, new ManualClock());
  const events: string[] = [];
  const stream = { isClosed: false } as ServerStream;
  const make = (name: string) => async (): Promise<void> => {
    events.push(`${name} begins`);
    await Promise.resolve();
    events.push(`${name} is made`);
  };
  const all = ['a', 'b', 'c'].map((name) => unread.oneByOne(stream, make(name)));
  const gone = unread.oneByOne({ isClosed: true } as ServerStream, make('gone'));
  setImmediate(() => events.push('another turn'));
  await Promise.all([...all, gone]);

  expect(events).toEqual([
    'a begins',
    'a is made',
    'another turn',
    'b begins',
    'b is made',
    'c begins',
    'c is made',
  ]);
});

test('long ranges are read in pages, also those of transactions', async () => {
  const etcd = await openEtcd();
  onTestFinished(() => etcd.close());
  for (let at = 0; at < 600; at++) await etcd.put(`key-${at % 300}-${at}`, String(at));
  const pages = vi.spyOn(etcd.engine, 'range');
  const transactions = vi.spyOn(etcd.engine, 'transact');
  const whole = { key: Uint8Array.of(0), rangeEnd: Uint8Array.of(0) };
  const byValue = { ...whole, sortTarget: sortTargets.value, sortOrder: sortOrders.descend, limit: 2 };

  const sorted = await etcd.range(byValue);
  const { responses } = await etcd.txn({
    success: [{ range: byValue }, { txn: { success: [{ range: whole }] } }],
  });

  const values = (kvs: readonly { readonly value: Uint8Array }[]) => kvs.map(({ value }) => text(value));
  expect(values(sorted.kvs)).toEqual(['99', '98']);
  expect(values(responses[0]!.range!.kvs)).toEqual(['99', '98']);
  expect(responses[1]!.txn!.responses[0]!.range!.kvs.length).toBe(600);
  const lengths = pages.mock.results.map(({ value }) => (value as { entries: object[] }).entries.length);
  expect(Math.max(...lengths)).toBeLessThan(300);
  expect(JSON.stringify(transactions.mock.calls)).not.toContain('"range"');
});

test.each([0, 1, 20])('the pieces of a range of %i keys are encoded like the whole', (count) => {
  const kvs = Array.from({ length: count }, (_, at) => ({
    key: bytes(`key-${at}`),
    value: Buffer.alloc(100_000, at),
    modRevision: at,
  }));
  const response = { header: { revision: 9 }, kvs, more: true, count: 30 };
  const pieces = [...piecesOfRange(response)];

  expect(pieces.every((piece) => (piece.kvs?.length ?? 0) <= 3)).toBe(true);
  expect(Buffer.concat(pieces.map((piece) => encode(RangeResponse, piece)))).toEqual(
    Buffer.from(encode(RangeResponse, response)),
  );
});

test('no more snapshots are sent at once than there are places', async () => {
  const etcd = await openEtcd();
  onTestFinished(() => etcd.close());
  for (let index = 0; index < 20; index++) await etcd.put(`large-${index}`, 'x'.repeat(100_000));
  const session = deafSession(etcd.endpoint);
  const snapshot = (from = session): ClientHttp2Stream => {
    const stream = ask(from, 'Maintenance/Snapshot');
    stream.end(frame(encode(SnapshotRequest, {})));
    return stream;
  };
  const idle = Array.from({ length: snapshotsMax }, () => snapshot());
  await Promise.all(idle.map((stream) => new Promise((resolve) => stream.once('response', resolve))));

  const reader = connect(etcd.endpoint);
  onTestFinished(() => reader.destroy());
  expect(await statusOf(snapshot(reader))).toContain('too many requests');
});

test('a snapshot that was not read for long gives its place to another one', async () => {
  const clock = new ManualClock();
  const places = new SnapshotLimiter(clock);
  const given: string[] = [];
  for (let index = 0; index < snapshotsMax; index++) places.take().wait(({ message }) => given.push(message));

  expect(() => places.take()).toThrow('too many requests');
  await clock.advance(snapshotPatienceMs);
  places.take();

  expect(given).toEqual(['the snapshot was not read, and another client waits for one']);
});
