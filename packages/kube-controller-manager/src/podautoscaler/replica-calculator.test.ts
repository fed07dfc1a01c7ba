import { expect, test } from 'vitest';
import type { Pod } from '../objects.ts';
import { defaultSettings } from '../settings.ts';
import { averageOf, groupPods, replicasForPods, requestsOf, utilizationOf } from './replica-calculator.ts';

const nowMs = Date.UTC(2026, 0, 1, 1);
const startTime = '2026-01-01T00:00:00Z';
const tolerances = { up: 0.1, down: 0.1 };

const pod = (name: string, status: Partial<NonNullable<Pod['status']>> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns' },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] },
  status: {
    phase: 'Running',
    startTime,
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: startTime }],
    ...status,
  },
});

const metricsOf = (values: Readonly<Record<string, number>>) =>
  new Map(
    Object.entries(values).map(([name, value]) => [name, { value, timestampMs: nowMs, windowMs: 30_000 }]),
  );

function ask(pods: readonly Pod[], values: Readonly<Record<string, number>>, wantedPercent = 50) {
  const metrics = metricsOf(values);
  const requests = requestsOf(pods, '', 'cpu');
  return replicasForPods({
    metrics,
    groups: groupPods(pods, metrics, 'cpu', defaultSettings.autoscaler, nowMs),
    currentReplicas: pods.length,
    tolerances,
    ratioOf: (all) => utilizationOf(all, requests).percent / wantedPercent,
    assumedOf: (name) => requests.get(name) ?? 0,
  });
}

test('pods that use twice their target become twice as many', () => {
  expect(ask([pod('a'), pod('b')], { a: 100, b: 100 })).toBe(4);
});

test('a small difference changes nothing', () => {
  expect(ask([pod('a'), pod('b')], { a: 52, b: 53 })).toBe(2);
});

test('a pod without a metric counts against the change', () => {
  expect(ask([pod('a'), pod('b'), pod('c')], { a: 10, b: 10 })).toBe(3);
  expect(ask([pod('a'), pod('b')], { a: 100 })).toBe(2);
});

test('a pod that is not ready yet counts as idle when there would be more pods', () => {
  const starting = pod('b', {
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: startTime }],
  });

  expect(ask([pod('a'), starting], { a: 200, b: 200 })).toBe(4);
  expect(() => ask([starting], { b: 200 })).toThrow('did not receive metrics for targeted pods');
});

test('a container without a request is reported', () => {
  const without = { ...pod('a'), spec: { containers: [{ name: 'c' }] } } as Pod;

  expect(() => requestsOf([without], '', 'cpu')).toThrow('missing request for cpu in container c of Pod a');
  expect(() => requestsOf([pod('a')], 'x', 'cpu')).toThrow('container x not found in Pod a');
});

test('averages are whole thousandths', () => {
  expect(averageOf(metricsOf({ a: 10, b: 11, c: 11 }))).toBe(10);
});
