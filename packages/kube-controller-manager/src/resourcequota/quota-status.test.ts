import type { GroupResource, KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { ResourceQuota } from '../objects.ts';
import { quotaStatus, sameStatus } from './quota-status.ts';

const quota = (hard: Record<string, string>, used?: Record<string, string>, scopes?: string[]) =>
  ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'default' },
    spec: { hard, ...(scopes && { scopes }) },
    ...(used && { status: { hard, used } }),
  }) as unknown as ResourceQuota;

const pod = (cpu?: string, phase = 'Running'): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'c', ...(cpu && { resources: { requests: { cpu } } }) }] },
    status: { phase },
  }) as unknown as KubeObject;

const withPods =
  (...pods: KubeObject[]) =>
  ({ resource }: GroupResource) =>
    resource === 'pods' ? pods : [];

test('amounts are summed, and unused resources are zero', () => {
  const status = quotaStatus(
    quota({ pods: '5', 'requests.cpu': '4', configmaps: '3' }),
    withPods(pod('500m'), pod('1')),
  );
  expect(status.used).toEqual({ pods: '2', 'requests.cpu': '1500m', configmaps: '0' });
});

test('a pod that has ended takes only its place in the store', () => {
  const status = quotaStatus(quota({ pods: '5', 'count/pods': '5' }), withPods(pod('1', 'Succeeded')));
  expect(status.used).toEqual({ pods: '0', 'count/pods': '1' });
});

test('a scope selects pods', () => {
  const status = quotaStatus(quota({ pods: '5' }, undefined, ['BestEffort']), withPods(pod('1'), pod()));
  expect(status.used).toEqual({ pods: '1' });
});

test('resources that cannot be counted now keep their former count', () => {
  const status = quotaStatus(
    quota({ 'count/widgets.example.com': '5' }, { 'count/widgets.example.com': '2' }),
    () => undefined,
  );
  expect(status.used).toEqual({ 'count/widgets.example.com': '2' });
});

test('only a change of value is written', () => {
  const before = quota({ cpu: '1' }, { cpu: '1000m' });
  expect(sameStatus(before, { hard: { cpu: '1' }, used: { cpu: '1' } })).toBe(true);
  expect(sameStatus(before, { hard: { cpu: '1' }, used: { cpu: '2' } })).toBe(false);
});
