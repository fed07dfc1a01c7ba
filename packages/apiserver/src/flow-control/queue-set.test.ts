import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { parseRequestInfo } from '../request-info.ts';
import { FlowController } from './flow-controller.ts';
import { FlowRequest } from './flow-request.ts';
import type { Flow } from './flow.ts';
import { limitedLevel, schemaFor } from './flow-objects.fixture.ts';
import { oneSeat, type WorkEstimate } from './work-estimate.ts';

const pods = parseRequestInfo('GET', '/api/v1/namespaces/n/pods', '');
const user = { name: 'u', groups: ['system:authenticated'] };

interface Setting {
  readonly seats: number;
  readonly queues: number;
  readonly lengthMax?: number;
}

/** A single level; requests choose their queue themselves. */
function queueSet({ seats, queues, lengthMax = 100 }: Setting) {
  const clock = new ManualClock();
  const controller = new FlowController({ clock, metrics: new Metrics(), seatsTotal: seats });
  const configure = (queuesNow: number) =>
    controller.digest(
      [limitedLevel('l', { shares: 1_000_000, queuing: [queuesNow, 1, lengthMax] })],
      [schemaFor('s', 'l')],
    );
  configure(queues);
  const flow: Flow = controller.flowOf(pods, user);
  const { set } = flow.level;
  const served: string[] = [];
  const ask = (name: string, queue: number, tookMs: number, estimate: WorkEstimate = oneSeat) => {
    const entry = new FlowRequest(flow, name, pods, user, clock.monotonic(), estimate);
    let isServed = false;
    const serve = () => {
      isServed = true;
      served.push(name);
      clock.after(tookMs, () => set.finish(entry));
    };
    entry.decide = (executes) => (executes ? serve() : served.push(`not ${name}`));
    const admission = set.admit(entry, [queue]);
    if (admission === 'executing' && !isServed) serve();
    return { entry, admission };
  };
  return { clock, set, ask, served, configure };
}

test('a rare request overtakes those in a queue that is always full', async () => {
  const { clock, ask, served } = queueSet({ seats: 1, queues: 2 });
  for (let at = 0; at < 10; at++) ask(`greedy-${at}`, 0, 10);
  await clock.advance(15);

  ask('modest', 1, 10);
  await clock.advance(200);

  expect(served.indexOf('modest')).toBe(2);
  expect(served).toHaveLength(11);
});

test('two queues that are always full share by seats and time, not by number', async () => {
  const { clock, ask, served } = queueSet({ seats: 1, queues: 2 });
  for (let at = 0; at < 60; at++) ask('short', 0, 5);
  for (let at = 0; at < 60; at++) ask('long', 1, 20);

  await clock.advance(400);

  const count = (name: string) => served.filter((one) => one === name).length;
  expect(count('short') / count('long')).toBeGreaterThan(3);
  expect(count('short') / count('long')).toBeLessThan(5);
});

test('a wide request waits until all its seats are free, and does not starve', async () => {
  const { clock, ask, served } = queueSet({ seats: 4, queues: 2 });
  for (let at = 0; at < 4; at++) ask('narrow', 0, 10);
  ask('wide', 1, 10, { initialSeats: 4, finalSeats: 0, additionalLatencyMs: 0 });
  for (let at = 0; at < 8; at++) ask('narrow', 0, 10);

  await clock.advance(100);

  expect(served.filter((name) => name === 'narrow')).toHaveLength(12);
  expect(served.indexOf('wide')).toBeLessThan(9);
});

test('a request that needs more seats than exist gets all of them', async () => {
  const { clock, ask, set, served } = queueSet({ seats: 2, queues: 1 });

  ask('huge', 0, 10, { initialSeats: 5, finalSeats: 0, additionalLatencyMs: 0 });
  ask('next', 0, 10);
  expect(served).toEqual(['huge']);
  await clock.advance(50);

  expect(served).toEqual(['huge', 'next']);
  expect(set.seatsInUse).toBe(0);
});

test('the seats of a write are held after its response, for as long as its watches need', async () => {
  const { clock, ask, set, served } = queueSet({ seats: 2, queues: 1 });
  ask('change', 0, 10, { initialSeats: 1, finalSeats: 2, additionalLatencyMs: 30 });
  ask('next', 0, 10);

  await clock.advance(20);
  expect([set.executing, set.seatsInUse, served.length]).toEqual([0, 2, 1]);
  await clock.advance(30);

  expect(served).toEqual(['change', 'next']);
});

test('a request that gives up waiting makes room and is not served', async () => {
  const { clock, ask, set, served } = queueSet({ seats: 1, queues: 1, lengthMax: 1 });
  ask('first', 0, 100);
  const { entry } = ask('second', 0, 10);
  expect(ask('third', 0, 10).admission).toBe('rejected');

  set.giveUp(entry);
  expect(ask('fourth', 0, 10).admission).toBe('waiting');
  await clock.advance(200);

  expect(served).toEqual(['first', 'not second', 'fourth']);
  expect([set.rejected, set.cancelled, set.waiting, set.executing]).toEqual([2, 1, 0, 0]);
});

test('surplus queues after a configuration change are drained, then removed', async () => {
  const { clock, ask, set, served, configure } = queueSet({ seats: 1, queues: 4 });
  for (let at = 0; at < 4; at++) ask(`q${at}`, at, 10);
  configure(2);
  expect(set.queues).toHaveLength(4);

  await clock.advance(100);

  expect(served).toHaveLength(4);
  expect(set.queues).toHaveLength(2);
  expect(set.queues.map(({ index }) => index)).toEqual([0, 1]);
});
