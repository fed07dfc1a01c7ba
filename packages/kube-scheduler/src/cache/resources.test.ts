import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podRequests } from './resources.ts';

const requests = (cpu: string) => ({ resources: { requests: { cpu } } });
const cpuOf = (spec: object) => podRequests({ spec } as unknown as Pod).milliCpu;

test.each([
  ['containers add up', { containers: [requests('1'), requests('500m')] }, 1500],
  [
    'an init container counts while it runs alone',
    { containers: [requests('1')], initContainers: [requests('3')] },
    3000,
  ],
  [
    'a sidecar runs beside the containers',
    { containers: [requests('1')], initContainers: [{ ...requests('1'), restartPolicy: 'Always' }] },
    2000,
  ],
  [
    'an init container runs beside the sidecars before it',
    {
      containers: [requests('1')],
      initContainers: [{ ...requests('2'), restartPolicy: 'Always' }, requests('3')],
    },
    5000,
  ],
  [
    'what is given for the pod as a whole replaces the sum',
    { containers: [requests('1')], resources: { requests: { cpu: '7' } } },
    7000,
  ],
  ['overhead comes on top', { containers: [requests('1')], overhead: { cpu: '250m' } }, 1250],
])('%s', (_rule, spec, milliCpu) => {
  expect(cpuOf(spec)).toBe(milliCpu);
});

test('containers without requests count as something when nodes are compared', () => {
  const pod = { spec: { containers: [{ name: 'a' }, { name: 'b', ...requests('1') }] } } as unknown as Pod;
  const { milliCpu, memoryBytes } = podRequests(pod, { milliCpu: 100, memoryBytes: 200 });

  expect([milliCpu, memoryBytes]).toEqual([1100, 400]);
});
