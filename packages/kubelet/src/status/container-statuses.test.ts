import type { Container } from '@coxswain/api/core/v1/container.ts';
import { expect, test } from 'vitest';
import { newRecord } from '../pod/container-record.ts';
import { containerStatus } from './container-statuses.ts';

function reportedResources(resources: object | undefined, phase: 'running' | 'terminated' = 'running') {
  const record = newRecord({ name: 'c', ...(resources && { resources }) } as unknown as Container, 'app');
  Object.assign(record, { id: '1', phase });
  const wholePod = { limits: { cpu: '200m', memory: '64Mi' } };
  return containerStatus(record, 'containerd', false, wholePod as never).resources;
}

test('a running container without its own limits shows those of its pod', () => {
  const own = { limits: { memory: '32Mi' }, requests: { memory: '32Mi' } };
  expect(reportedResources(own)).toEqual({
    limits: { cpu: '200m', memory: '32Mi' },
    requests: { cpu: '200m', memory: '32Mi' },
  });
  expect(reportedResources(own, 'terminated')).toEqual(own);
  expect(reportedResources({ requests: { cpu: '50m' } })).toEqual({ requests: { cpu: '50m' } });
});

test('a container without resources reports none', () => {
  expect(reportedResources(undefined)).toEqual({});
});
