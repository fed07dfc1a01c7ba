import { afterEach, beforeEach, expect, test } from 'vitest';
import { bytes, openEtcd, text, type OpenEtcd } from '../client.fixture.ts';
import { ManualClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { becomeFirst, firstOf, join } from './queue.ts';

let etcd: OpenEtcd;
beforeEach(async () => {
  etcd = await openEtcd();
});
afterEach(() => etcd.close());

const never = new AbortController().signal;

test('the oldest in a queue is first; who leaves makes room for the next', async () => {
  const { engine } = new MemoryStorage({ clock: new ManualClock() });
  for (const id of [1n, 2n]) await engine.leases.grant(id, 60);
  const [one, two] = [await join(engine, 'q', 1n, bytes('a')), await join(engine, 'q', 2n, bytes('b'))];
  await becomeFirst(engine, 'q', one, never);
  const second = becomeFirst(engine, 'q', two, never);
  expect(text(firstOf(engine, 'q')!.value)).toBe('a');
  await engine.leases.revoke(1n);
  await second;
  expect(text(firstOf(engine, 'q')!.value)).toBe('b');
});

test('who gives up waiting leaves the queue, and whose lease ends is told', async () => {
  const { engine } = new MemoryStorage({ clock: new ManualClock() });
  for (const id of [1n, 2n, 3n]) await engine.leases.grant(id, 60);
  await join(engine, 'q', 1n);
  const [two, three] = [await join(engine, 'q', 2n), await join(engine, 'q', 3n)];
  const patience = new AbortController();
  const givingUp = expect(becomeFirst(engine, 'q', two, patience.signal)).rejects.toThrow('context canceled');
  patience.abort();
  await givingUp;
  expect(engine.get(two.key)).toBeUndefined();

  const expiring = expect(becomeFirst(engine, 'q', three, never)).rejects.toThrow('session is expired');
  await engine.leases.revoke(3n);
  await expiring;
});

test('locks are waited for over the network', async () => {
  const call = (method: string, payload: Buffer) => etcd.channel.unary(`/v3lockpb.Lock/${method}`, payload);
  const lock = () => call('Lock', Buffer.from('\x0a\x01m'));
  const keyIn = (response: Uint8Array): Buffer => {
    const answer = Buffer.from(response);
    return answer.subarray(answer.indexOf('m/'));
  };
  const first = keyIn(await lock());
  const second = lock();
  const unlock = Buffer.concat([Buffer.from([0x0a, first.length]), first]);
  await call('Unlock', unlock);
  expect(keyIn(await second).equals(first)).toBe(false);
});
