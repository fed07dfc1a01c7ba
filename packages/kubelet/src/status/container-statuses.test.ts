import type { Container } from '@coxswain/api/core/v1/container.ts';
import { expect, test } from 'vitest';
import { newRecord } from '../pod/container-record.ts';
import { containerStatus } from './container-statuses.ts';

function toldResources(resources: object | undefined, phase: 'running' | 'terminated' = 'running') {
  const record = newRecord({ name: 'c', ...(resources && { resources }) } as unknown as Container, 'app');
  Object.assign(record, { id: '1', phase });
  const wholePod = { limits: { cpu: '200m', memory: '64Mi' } };
  return containerStatus(record, 'containerd', false, wholePod as never).resources;
}

test('a running container is told to be bounded by its pod where it has no bound of its own', () => {
  const own = { limits: { memory: '32Mi' }, requests: { memory: '32Mi' } };
  expect(toldResources(own)).toEqual({
    limits: { cpu: '200m', memory: '32Mi' },
    requests: { cpu: '200m', memory: '32Mi' },
  });
  expect(toldResources(own, 'terminated')).toEqual(own);
  expect(toldResources({ requests: { cpu: '50m' } })).toEqual({ requests: { cpu: '50m' } });
});

test('a container that says nothing of resources has none to tell', () => {
  expect(toldResources(undefined)).toEqual({});
});
