import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { AuditBackend, AuditEvent } from '../audit-event.ts';
import { BufferedBackend } from './buffered-backend.ts';
import { lenientBackend } from './lenient-backend.ts';
import { truncatingBackend } from './truncating-backend.ts';
import { unionBackend } from './union-backend.ts';
import { webhookBackend } from './webhook-backend.ts';

const eventOf = (auditId: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  level: 'RequestResponse',
  auditId,
  stage: 'ResponseComplete',
  requestUri: '/',
  verb: 'get',
  user: undefined,
  impersonatedUser: undefined,
  impersonationConstraint: '',
  sourceIps: [],
  userAgent: '',
  objectRef: undefined,
  responseStatus: undefined,
  requestObject: undefined,
  responseObject: undefined,
  receivedAtMs: 0,
  stageAtMs: 0,
  annotations: undefined,
  ...more,
});

function kept(answer = true) {
  const batches: string[][] = [];
  const events: AuditEvent[] = [];
  const backend: AuditBackend = {
    name: 'kept',
    process(all) {
      batches.push(all.map(({ auditId }) => auditId));
      events.push(...all);
      return answer;
    },
    flush: () => Promise.resolve(),
  };
  return { backend, batches, events };
}

const neverLost = () => expect.fail('events were lost');
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a batch is sent when it is full or its events have waited long enough', async () => {
  const clock = new ManualClock();
  const { backend, batches } = kept();
  const settings = { bufferSize: 10, batchSizeMax: 2, waitMsMax: 1000, isConcurrent: false };
  const buffered = new BufferedBackend(backend, settings, clock, neverLost);
  buffered.process([eventOf('a')]);
  buffered.process([eventOf('b')]);
  buffered.process([eventOf('c')]);
  await settled();
  expect(batches).toEqual([['a', 'b']]);
  await clock.advance(1000);
  await settled();
  expect(batches).toEqual([['a', 'b'], ['c']]);
});

test('events that exceed the buffer are lost and logged', () => {
  const lost: string[] = [];
  const settings = { bufferSize: 1, batchSizeMax: 5, waitMsMax: 1000, isConcurrent: false };
  const buffered = new BufferedBackend(kept().backend, settings, new ManualClock(), (_plugin, why, events) =>
    lost.push(why, ...events.map(({ auditId }) => auditId)),
  );
  buffered.process([eventOf('a')]);
  buffered.process([eventOf('b')]);
  expect(lost).toEqual(['audit buffer queue blocked', 'b']);
});

test('batches beyond the burst wait for their turn', async () => {
  const clock = new ManualClock();
  const { backend, batches } = kept();
  const throttle = { qps: 1, burst: 2 };
  const settings = { bufferSize: 10, batchSizeMax: 1, waitMsMax: 1000, isConcurrent: false, throttle };
  const buffered = new BufferedBackend(backend, settings, clock, neverLost);
  for (const id of ['a', 'b', 'c', 'd']) buffered.process([eventOf(id)]);
  await settled();
  expect(batches.flat()).toEqual(['a', 'b']);
  await clock.advance(1000);
  await settled();
  expect(batches.flat()).toEqual(['a', 'b', 'c']);
});

test('a flush sends waiting events', async () => {
  const { backend, batches } = kept();
  const settings = { bufferSize: 10, batchSizeMax: 5, waitMsMax: 1000, isConcurrent: true };
  const buffered = new BufferedBackend(backend, settings, new ManualClock(), neverLost);
  buffered.process([eventOf('a')]);
  await buffered.flush();
  expect(batches).toEqual([['a']]);
});

test('an event that is too large loses its request and response bodies', async () => {
  const { backend, events } = kept();
  const limits = { eventBytesMax: 600, batchBytesMax: 10_000 };
  const body = JSON.stringify('x'.repeat(1000));
  await truncatingBackend(backend, limits, neverLost).process([eventOf('a', { responseObject: body })]);
  expect(events[0]).toMatchObject({
    responseObject: undefined,
    annotations: { 'audit.k8s.io/truncated': 'true' },
  });
});

test('an event that stays too large is lost, the others are split into batches that fit', async () => {
  const { backend, batches } = kept();
  const lost: string[] = [];
  const limits = { eventBytesMax: 400, batchBytesMax: 400 };
  await truncatingBackend(backend, limits, (_plugin, _why, events) =>
    lost.push(...events.map(({ auditId }) => auditId)),
  ).process([eventOf('a'), eventOf('b', { requestUri: 'x'.repeat(1000) }), eventOf('c')]);
  expect(lost).toEqual(['b']);
  expect(batches).toEqual([['a'], ['c']]);
});

test('every back end gets every event, and one that fails is enough to fail', () => {
  const [good, bad] = [kept(), kept(false)];
  const union = unionBackend([bad.backend, good.backend]);
  expect(union.process([eventOf('a')])).toBe(false);
  expect(lenientBackend(union).process([eventOf('b')])).toBe(true);
  expect(good.batches).toEqual([['a'], ['b']]);
});

test('a webhook is called up to five times, with growing delays', async () => {
  const clock = new ManualClock();
  const lost: string[] = [];
  let asked = 0;
  const backend = webhookBackend({
    post: () => {
      asked++;
      return Promise.reject(new Error('down'));
    },
    initialBackoffMs: 100,
    clock,
    random: seededRandom(1),
    lost: (_plugin, why) => lost.push(why),
  });
  const done = backend.process([eventOf('a')]);
  for (let round = 0; round < 6; round++) await clock.advance(1000);
  expect(await done).toBe(false);
  expect(asked).toBe(5);
  expect(lost).toEqual(['down']);
});
