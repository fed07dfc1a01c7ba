import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiRequest } from '@coxswain/apiserver';
import { expect, test } from 'vitest';
import { MeasuredCosts } from './measured-costs.ts';

class Ticks {
  nowMs = 0;
  readonly monotonic = () => this.nowMs;
}

const request = (user: string, resource = 'services', method = 'POST'): ApiRequest =>
  ({ user: { name: user, groups: [] }, method, info: { group: '', resource, subresource: '' } }) as never;

/** Serves requests of a cost, each in a turn of its own. */
async function serve(costs: MeasuredCosts, clock: Ticks, asked: ApiRequest, ms: number, count = 1) {
  for (let at = 0; at < count; at++) {
    costs.begin(asked);
    // What a request leads to is part of it, as long as it waits for nothing.
    await Promise.resolve();
    clock.nowMs += ms;
    await nextTurn();
  }
}

test('a user’s requests of one kind are known by what they cost before', async () => {
  const clock = new Ticks();
  const costs = new MeasuredCosts(clock);
  await serve(costs, clock, request('tenant'), 2, 10);
  await serve(costs, clock, request('tenant', 'configmaps'), 0.25, 10);
  expect(costs.expectedMs(request('tenant'))).toBeGreaterThan(1.5);
  expect(costs.expectedMs(request('tenant', 'configmaps'))).toBeLessThan(0.5);
  expect(costs.expectedMs(request('tenant', 'services', 'PUT'))).toBe(0);
  expect(costs.expectedMs(request('another'))).toBe(0);
});

test('a single request that another program interrupted does not count', async () => {
  const clock = new Ticks();
  const costs = new MeasuredCosts(clock);
  await serve(costs, clock, request('tenant'), 0.5, 4);
  await serve(costs, clock, request('tenant'), 500);
  expect(costs.expectedMs(request('tenant'))).toBeLessThan(1.5);
});

test('costly requests among cheap ones of the same kind are not hidden by them', async () => {
  const clock = new Ticks();
  const costs = new MeasuredCosts(clock);
  for (let at = 0; at < 10; at++) {
    await serve(costs, clock, request('tenant'), 3);
    await serve(costs, clock, request('tenant'), 0.25);
  }
  expect(costs.expectedMs(request('tenant'))).toBeGreaterThan(1);
});

test('requests of the same turn are measured apart', async () => {
  const clock = new Ticks();
  const costs = new MeasuredCosts(clock);
  costs.begin(request('tenant'));
  clock.nowMs += 2;
  costs.begin(request('another'));
  clock.nowMs += 0.25;
  await nextTurn();
  expect(costs.expectedMs(request('tenant'))).toBe(0.5);
  expect(costs.expectedMs(request('another'))).toBe(0.0625);
});

test('after a while, a request is measured anew', async () => {
  const clock = new Ticks();
  const costs = new MeasuredCosts(clock);
  await serve(costs, clock, request('tenant'), 3, 10);
  clock.nowMs += 10_001;
  expect(costs.expectedMs(request('tenant'))).toBe(0);
});
