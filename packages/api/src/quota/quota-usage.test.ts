import { formatQuantity, type KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { Pod } from '../core/v1/pod.ts';
import { scopesMatch } from './quota-scopes.ts';
import { countsFor, unstatedResources, usageOf } from './quota-usage.ts';
import type { ResourceQuota } from '../core/v1/resource-quota.ts';

const claims = { group: 'resource.k8s.io', resource: 'resourceclaims' };
const usage = (resource: typeof claims, object: object) =>
  Object.fromEntries(
    [...usageOf(resource, object as KubeObject)].map(([name, quantity]) => [name, formatQuantity(quantity)]),
  );

test('a claim uses the devices of its classes; of alternatives the most of each class', () => {
  const exactly = (deviceClassName: string, count: number) => ({
    deviceClassName,
    allocationMode: 'ExactCount',
    count,
  });
  const requests = [
    { name: 'a', exactly: exactly('gpu', 2) },
    { name: 'b', firstAvailable: [exactly('gpu', 1), exactly('gpu', 3), exactly('cpu', 8)] },
    { name: 'c', exactly: { deviceClassName: 'nic', allocationMode: 'All' } },
  ];

  expect(usage(claims, { spec: { devices: { requests } } })).toEqual({
    'count/resourceclaims.resource.k8s.io': '1',
    'gpu.deviceclass.resource.k8s.io/devices': '5',
    'cpu.deviceclass.resource.k8s.io/devices': '8',
    'nic.deviceclass.resource.k8s.io/devices': '32',
  });
  expect(countsFor(claims, 'gpu.deviceclass.resource.k8s.io/devices')).toBe(true);
});

test('a volume claim with a larger allocation than its request uses the allocation', () => {
  const claim = {
    metadata: {},
    spec: { resources: { requests: { storage: '1Gi' } } },
    status: { allocatedResources: { storage: '3Gi' } },
  };

  expect(usage({ group: '', resource: 'persistentvolumeclaims' }, claim)).toMatchObject({
    'requests.storage': '3Gi',
  });
});

test('containers need not repeat what their pod states', () => {
  const pod = (resources: object | undefined) =>
    ({ spec: { resources, containers: [{ name: 'c' }] } }) as unknown as Pod;

  expect(unstatedResources(pod(undefined), ['requests.cpu'])).toBe('must specify requests.cpu for: c');
  expect(unstatedResources(pod({ limits: { memory: '1Gi' } }), ['requests.cpu'])).toBeUndefined();
});

test('a scope selects volume claims by any class that they ask for, have or are about to get', () => {
  const quota = (operator: string, values?: string[]) =>
    ({
      spec: {
        scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator, values }] },
      },
    }) as unknown as ResourceQuota;
  const claim = {
    spec: { volumeAttributesClassName: 'gold' },
    status: { currentVolumeAttributesClassName: 'tin' },
  };
  const matches = (operator: string, values?: string[], object: object = claim) =>
    scopesMatch(quota(operator, values), 'persistentvolumeclaims', object as KubeObject);

  expect(matches('In', ['tin'])).toBe(true);
  expect(matches('In', ['silver'])).toBe(false);
  expect(matches('Exists')).toBe(true);
  expect(matches('Exists', undefined, { spec: {} })).toBe(false);
});
