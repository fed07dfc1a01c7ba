import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { EventCorrelator } from './event-correlator.ts';
import type { CoreEvent } from './event-object.ts';

const eventOf = (message: string, name = 'web'): CoreEvent =>
  ({
    metadata: { name: `${name}.1`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name, uid: name, apiVersion: 'v1' },
    source: { component: 'kubelet', host: 'node-1' },
    type: 'Warning',
    reason: 'BackOff',
    message,
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
  }) as unknown as CoreEvent;

test('a repeated event is counted, and patched instead of created', () => {
  const correlator = new EventCorrelator(new ManualClock());
  expect(correlator.correlate(eventOf('a'))?.patch).toBeUndefined();
  expect(correlator.correlate(eventOf('a'))?.patch).toMatchObject({ count: 2, message: 'a' });
  expect(correlator.correlate(eventOf('b'))?.patch).toBeUndefined();
});

test('from the tenth similar message on, one event represents all of them', () => {
  const correlator = new EventCorrelator(new ManualClock());
  for (let number = 1; number < 10; number++) {
    const text = `message ${number}`;
    expect(correlator.correlate(eventOf(text))?.event.message).toBe(text);
    expect(correlator.correlate(eventOf(text))?.event.message).toBe(text);
  }
  const tenth = correlator.correlate(eventOf('message 10'));
  expect(tenth?.event.message).toBe('(combined from similar events): message 10');
  expect(tenth?.patch).toBeUndefined();
  expect(correlator.correlate(eventOf('message 11'))?.patch).toMatchObject({ count: 2 });
});

test('messages that are ten minutes old count no more', async () => {
  const clock = new ManualClock();
  const correlator = new EventCorrelator(clock);
  for (let number = 1; number < 10; number++) correlator.correlate(eventOf(`message ${number}`));
  await clock.advance(600_001);
  expect(correlator.correlate(eventOf('message 10'))?.event.message).toBe('message 10');
});

test('an object has 25 events at once, then one in five minutes', async () => {
  const clock = new ManualClock();
  const correlator = new EventCorrelator(clock);
  const reported = Array.from({ length: 30 }, () => correlator.correlate(eventOf('a')));
  expect(reported.filter((each) => each !== undefined)).toHaveLength(25);
  expect(correlator.correlate(eventOf('a', 'other'))).toBeDefined();
  await clock.advance(300_000);
  expect(correlator.correlate(eventOf('a'))).toBeDefined();
  expect(correlator.correlate(eventOf('a'))).toBeUndefined();
});
