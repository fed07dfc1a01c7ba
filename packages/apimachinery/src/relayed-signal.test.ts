import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { relayed } from './relayed-signal.ts';

test('however many listen, the signal itself has one listener', async () => {
  const stop = new AbortController();
  const sleeps = Array.from({ length: 30 }, () => systemClock.sleep(60_000, stop.signal));
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);

  const reason = new Error('over');
  stop.abort(reason);
  for (const sleep of sleeps) await expect(sleep).rejects.toBe(reason);
});

test('a relay has the reason of its signal, and is its own relay', () => {
  const stop = new AbortController();
  const relay = relayed(stop.signal);
  expect(relayed(relay)).toBe(relay);
  stop.abort('now');
  expect(relay.reason).toBe('now');
  expect(relayed(AbortSignal.abort('before')).reason).toBe('before');
  expect(relayed(undefined)).toBeUndefined();
});
