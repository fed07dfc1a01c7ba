import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { parseRequestInfo } from '../request-info.ts';
import { FlowController } from './flow-controller.ts';
import { FlowRequest } from './flow-request.ts';
import { exemptLevel, limitedLevel, schemaFor } from './flow-objects.fixture.ts';
import { oneSeat } from './work-estimate.ts';

const pods = parseRequestInfo('GET', '/api/v1/namespaces/n/pods', '');
const alice = { name: 'alice', groups: ['dev', 'system:authenticated'] };
const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

function controllerOf(seatsTotal = 600) {
  const clock = new ManualClock();
  const metrics = new Metrics();
  return { clock, metrics, controller: new FlowController({ clock, metrics, seatsTotal }) };
}

test('without any objects superusers are exempt, and catch-all takes everybody else', () => {
  const { controller } = controllerOf();

  expect(controller.flowOf(pods, admin).level.name).toBe('exempt');
  expect(controller.flowOf(pods, alice).level.name).toBe('catch-all');
  expect(controller.flowOf(pods, alice).uid).toBe('');
});

test('the first matching schema counts, by precedence and then by name', () => {
  const { controller } = controllerOf();
  controller.digest(
    [limitedLevel('one'), limitedLevel('two')],
    [
      schemaFor('late', 'one', { precedence: 900 }),
      schemaFor('b', 'one', { precedence: 500 }),
      schemaFor('a', 'two', { precedence: 500 }),
      schemaFor('first', 'missing', { precedence: 2 }),
      schemaFor('others', 'one', { precedence: 3, groups: ['nobody'] }),
    ],
  );

  expect(controller.flowOf(pods, alice).name).toBe('a');
});

test('a user with a new group is classified anew', () => {
  const { controller } = controllerOf();
  controller.digest([limitedLevel('one')], [schemaFor('ops', 'one', { precedence: 3, groups: ['ops'] })]);

  expect(controller.flowOf(pods, alice).name).toBe('catch-all');
  expect(controller.flowOf(pods, { ...alice, groups: ['ops'] }).name).toBe('ops');
});

test('levels that cannot be used count as missing', () => {
  const { controller } = controllerOf();
  const broken = limitedLevel('broken');
  const usable = controller.digest(
    [{ ...broken, spec: { type: 'Limited' } }, limitedLevel('whole'), exemptLevel()],
    [],
  );

  expect([...usable]).toEqual(['whole', 'exempt']);
});

test('seats are divided by shares, rounded up; exempt and lending levels keep their minimum', () => {
  const { controller } = controllerOf(600);
  controller.digest(
    [
      limitedLevel('global-default', { shares: 20, lendablePercent: 50 }),
      limitedLevel('leader-election', { shares: 10 }),
      limitedLevel('node-high', { shares: 40, lendablePercent: 25 }),
      limitedLevel('system', { shares: 30, lendablePercent: 33 }),
      limitedLevel('workload-high', { shares: 40, lendablePercent: 50 }),
      limitedLevel('workload-low', { shares: 100, lendablePercent: 90, borrowingPercent: 10 }),
    ],
    [],
  );

  const limits = Object.fromEntries([...controller.levels].map(([name, level]) => [name, level.limits]));
  expect(limits).toEqual({
    'global-default': { nominal: 49, min: 24, max: 649 },
    'leader-election': { nominal: 25, min: 25, max: 625 },
    'node-high': { nominal: 98, min: 73, max: 698 },
    system: { nominal: 74, min: 50, max: 674 },
    'workload-high': { nominal: 98, min: 49, max: 698 },
    'workload-low': { nominal: 245, min: 24, max: 270 },
    'catch-all': { nominal: 13, min: 13, max: 613 },
    exempt: { nominal: 0, min: 0, max: 600 },
  });
});

test('a level borrows unused seats for as long as it needs them', async () => {
  const { controller, clock } = controllerOf(100);
  controller.digest(
    [
      limitedLevel('busy', { shares: 45, queuing: [1, 1, 1_000] }),
      limitedLevel('idle', { shares: 50, lendablePercent: 80 }),
    ],
    [schemaFor('busy', 'busy')],
  );
  controller.start();
  const flow = controller.flowOf(pods, alice);
  const { level } = flow;
  const ofIdle = controller.levels.get('idle')!;
  const before = [level.current, ofIdle.current];
  const entries = Array.from({ length: 200 }, () => {
    const entry = new FlowRequest(flow, '', pods, alice, clock.monotonic(), oneSeat);
    level.set.admit(entry, flow.handOf(''));
    return entry;
  });

  await clock.advance(10_000);
  const during = [level.current, ofIdle.current];
  while (level.set.executing > 0) {
    for (const entry of entries) if (entry.list === entry.queue?.executing) level.set.finish(entry);
  }
  // Half of the demand is forgotten in five minutes.
  await clock.advance(3_600_000);

  expect(during[0]! + during[1]!).toBeLessThanOrEqual(96);
  expect(during[1]).toBe(10);
  expect(during[0]).toBeGreaterThan(before[0]!);
  expect(level.set.dispatched).toBe(200);
  expect(ofIdle.current).toBeGreaterThan(during[1]!);
  controller.stop();
});

test('a level whose object was deleted serves its requests, accepts no new ones, and is removed', () => {
  const { controller, clock } = controllerOf();
  controller.digest([limitedLevel('one')], [schemaFor('all', 'one')]);
  const flow = controller.flowOf(pods, alice);
  const entry = new FlowRequest(flow, '', pods, alice, clock.monotonic(), oneSeat);
  flow.level.set.admit(entry, []);

  controller.digest([], []);

  expect(controller.flowOf(pods, alice).name).toBe('catch-all');
  expect(controller.levels.get('one')?.isQuiescing).toBe(true);
  flow.level.set.finish(entry);
  controller.reap(flow.level);
  expect(controller.levels.has('one')).toBe(false);
});

test('counters survive a new configuration', () => {
  const { controller, clock, metrics } = controllerOf();
  for (let times = 0; times < 2; times++) {
    controller.digest([limitedLevel('one')], [schemaFor('all', 'one')]);
    const flow = controller.flowOf(pods, alice);
    const entry = new FlowRequest(flow, '', pods, alice, clock.monotonic(), oneSeat);
    flow.level.set.admit(entry, []);
    flow.level.set.finish(entry);
  }

  expect(metrics.exposition()).toContain(
    'apiserver_flowcontrol_dispatched_requests_total{flow_schema="all",priority_level="one"} 2\n',
  );
});
