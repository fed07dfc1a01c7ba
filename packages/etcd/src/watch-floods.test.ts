/** Many watches on one stream. */
import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '@coxswain/apimachinery';
import { WatchRequest, type WatchResponse } from '@coxswain/storage/etcd/messages.ts';
import { MemoryStorage } from '@coxswain/storage';
import type { StreamCall } from '@coxswain/grpc/server/method.ts';
import { decode, encode, type Decoded, type Input } from '@coxswain/protobuf';
import { expect, onTestFinished, test } from 'vitest';
import { AuthStore } from './auth/auth-store.ts';
import { bytes } from './client.fixture.ts';
import { memberOf } from './member.ts';
import { watchService } from './watch-service.ts';

type Request = Decoded<typeof WatchRequest>;
type Response = Input<typeof WatchResponse>;

/** A stream with watches of the key `hot`, whose client reads when told to. */
function watchingStream(watches: number) {
  const clock = new ManualClock();
  const storage = new MemoryStorage({ clock, historyMsMax: 0 });
  const { engine } = storage;
  onTestFinished(() => storage.close());
  const seen: (readonly [watchId: number, revision: number])[] = [];
  let unsentBytes = 0;
  let onDrain: (() => void)[] = [];
  const end = Promise.withResolvers<void>();
  async function* requests(): AsyncGenerator<Request> {
    const create = encode(WatchRequest, { create: { key: bytes('hot') } });
    for (let at = 0; at < watches; at++) yield decode(WatchRequest, create);
    await end.promise;
  }
  const call = {
    requests: requests(),
    caller: {},
    send({ watchId = 0, events = [] }: Response) {
      for (const { kv } of events) {
        unsentBytes += kv!.value!.length;
        seen.push([watchId, Number(kv!.modRevision)]);
      }
    },
    get unsentBytes() {
      return unsentBytes;
    },
    onDrain: (callback: () => void) => void onDrain.push(callback),
  } as unknown as StreamCall<Request, Response>;
  const member = memberOf({ name: 'a', token: '', peerUrls: [], clientUrls: [] });
  const options = { engine, clock, member, progressNotifyMs: 600_000, auth: new AuthStore(clock) };
  const method = watchService(options)['/etcdserverpb.Watch/Watch']!;
  void method.stream!(call as never);
  const read = (): void => {
    const callbacks = onDrain;
    [unsentBytes, onDrain] = [0, []];
    for (const callback of callbacks) callback();
  };
  onTestFinished(() => end.resolve());
  const put = (value: Buffer) =>
    engine.transact({ success: [{ kind: 'put', key: 'hot', value, leaseId: undefined }] });
  return { seen, put, read, unsentBytes: () => unsentBytes };
}

const megabyte = 1024 * 1024;

test('what a client has not read is bounded, however many of its watches see an event', async () => {
  const watches = 300;
  const { seen, put, read, unsentBytes } = watchingStream(watches);
  await setImmediate();
  const first = (await put(Buffer.alloc(megabyte))).revision;
  let second = 0;
  let mostBytes = 0;
  for (let turn = 0; seen.length < 2 * watches && turn < 1_000; turn++) {
    await setImmediate();
    mostBytes = Math.max(mostBytes, unsentBytes());
    read();
    if (turn === 5) second = (await put(Buffer.alloc(megabyte))).revision;
  }

  expect(mostBytes).toBeGreaterThan(10 * megabyte);
  expect(mostBytes).toBeLessThan(20 * megabyte);
  const ids = Array.from({ length: watches }, (_, id) => id);
  const ofWatch = (id: number) => seen.filter(([watchId]) => watchId === id).map(([, revision]) => revision);
  expect(ids.map(ofWatch)).toEqual(ids.map(() => [first, second]));
});

test('an event for thousands of watches is sent in many turns', async () => {
  const watches = 3_000;
  const { seen, put, read } = watchingStream(watches);
  await setImmediate();
  await put(bytes('small'));
  let most = 0;
  for (let turn = 0, before = 0; seen.length < watches && turn < 1_000; turn++, before = seen.length) {
    await setImmediate();
    read();
    most = Math.max(most, seen.length - before);
  }

  expect(seen.length).toBe(watches);
  expect(most).toBeLessThanOrEqual(1_000);
});
