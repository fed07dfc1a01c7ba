import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podResources } from './pod-resources.ts';

const pod = (phase: string, ...resources: readonly object[]): Pod =>
  ({
    spec: { containers: resources.map((each, index) => ({ name: `c${index}`, resources: each })) },
    status: { phase },
  }) as unknown as Pod;

const bounded = { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '64Mi' } };

test("before a pod is running, the sum of its containers' requests is reported", () => {
  expect(podResources(pod('Pending', bounded, {}))).toEqual({
    resources: { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '64Mi' } },
    allocatedResources: { cpu: '100m', memory: '16Mi' },
  });
});

test('a running pod has a limit only when each of its containers has one', () => {
  expect(podResources(pod('Running', bounded, {})).resources).toEqual({
    requests: { cpu: '100m', memory: '16Mi' },
  });
  expect(podResources(pod('Running', bounded, bounded)).resources.limits).toEqual({ memory: '128Mi' });
});

test('a pod without requests reports no resources', () => {
  expect(podResources(pod('Running', {}))).toEqual({ resources: {} });
});
