/** Seats of requests whose bodies are still to come. */
import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { priorityAndFairness } from '../filters/priority-and-fairness.ts';
import { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { ArrivingBody } from '../http/arriving-body.ts';
import { readBody } from '../http/request-body.ts';
import { parseRequestInfo } from '../request-info.ts';
import { FlowControl } from './flow-control.ts';
import { limitedLevel, schemaFor } from './flow-objects.fixture.ts';
import { RequestsInProgress } from './requests-in-progress.ts';

const timeoutMs = 60_000;

/** A server with one seat whose handler reads the body. */
function serverWithOneSeat() {
  const clock = new ManualClock();
  const metrics = new Metrics();
  const inProgress = new RequestsInProgress(clock, metrics);
  const control = new FlowControl({ clock, metrics, seatsTotal: 1, sizes: () => undefined, inProgress });
  control.controller.digest(
    [limitedLevel('all', { shares: 1_000_000, queuing: [64, 6, 50] })],
    [schemaFor('all', 'all', { distinguish: 'ByUser' })],
  );
  const filter = priorityAndFairness(control, clock, timeoutMs);
  let executing = 0;
  let mostExecuting = 0;
  const handler = async (request: ApiRequest): Promise<ApiResponse> => {
    await readBody(request.incoming.body);
    mostExecuting = Math.max(mostExecuting, ++executing);
    await clock.sleep(5);
    executing--;
    return { status: 200, headers: {}, body: { kind: 'none' } };
  };
  const send = (user: string) => {
    const stream = new ArrivingBody(undefined, () => undefined);
    const path = '/api/v1/namespaces/default/configmaps';
    const incoming = { method: 'POST', path, query: '', headers: {}, structured: false };
    const peer = { address: '192.0.2.1', tls: true, protocol: 'HTTP/2.0' } as const;
    const { signal } = new AbortController();
    const request = new ApiRequest({
      ...incoming,
      peer,
      body: { kind: 'stream', stream },
      signal: () => signal,
    });
    request.info = parseRequestInfo('POST', path, '');
    request.user = { name: user, groups: ['system:authenticated'] };
    return { body: stream, answer: Promise.resolve(filter.handle(request, handler)) };
  };
  return { clock, send, mostExecuting: () => mostExecuting };
}

test('requests whose bodies never come keep nobody from being served', async () => {
  const { clock, send } = serverWithOneSeat();
  const greedy = Array.from({ length: 20 }, () => send('greedy'));
  const modest = send('modest');
  modest.body.end();
  await clock.advance(1_000);

  expect(await modest.answer).toMatchObject({ status: 200 });
  for (const { body } of greedy) body.end();
  await clock.advance(1_000);
  const statuses = await Promise.all(greedy.map(({ answer }) => answer));
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a body that has come needs a seat again', async () => {
  const { clock, send, mostExecuting } = serverWithOneSeat();
  const all = ['a', 'b', 'c'].map((user) => send(user));
  await clock.advance(1_000);
  for (const { body } of all) body.end();
  await clock.advance(1_000);
  await Promise.all(all.map(({ answer }) => answer));

  expect(mostExecuting()).toBe(1);
});

test('without others who wait, a request keeps its seat', async () => {
  const { clock, send } = serverWithOneSeat();
  const slow = send('slow');
  await clock.advance(1_000);
  const other = send('other');
  other.body.end();
  let isAnswered = false;
  void other.answer.then(() => (isAnswered = true));
  await clock.advance(10);

  expect(isAnswered).toBe(false);
  await clock.advance(30);
  expect(isAnswered).toBe(true);
  slow.body.end();
  await clock.advance(30);
  expect(await slow.answer).toMatchObject({ status: 200 });
});
