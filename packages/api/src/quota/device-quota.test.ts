import { quantityOf, quantityValue } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { DeviceClass } from '../resource/v1/device-class.ts';
import type { ResourceClaim } from '../resource/v1/resource-claim.ts';
import { deviceQuota, isExtendedInQuota } from './device-quota.ts';
import type { Pod } from '../core/v1/pod.ts';
import type { Totals } from '../core/v1/pod/pod-totals.ts';

const deviceClass = (name: string, extendedResourceName?: string) =>
  ({ metadata: { name }, spec: { extendedResourceName } }) as unknown as DeviceClass;

const classes = [deviceClass('gpu', 'example.com/gpu'), deviceClass('plain')];

/** A claim; with `pod`, one that the scheduler created for the pod. */
const claim = (name: string, { pod, second = 0 }: { pod?: string; second?: number } = {}) =>
  ({
    metadata: {
      name,
      namespace: 'default',
      creationTimestamp: `2026-01-01T00:00:0${second}Z`,
      ...(pod && {
        annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod, uid: pod, controller: true }],
      }),
    },
    spec: {},
  }) as unknown as ResourceClaim;

const pod = (name: string, more: object = {}) =>
  ({
    metadata: { name, namespace: 'default', uid: name },
    spec: { containers: [] },
    ...more,
  }) as unknown as Pod;

/** The claim's usage when the pods themselves use that many GPUs. */
function usage(
  looked: ResourceClaim,
  byClass: Readonly<Record<string, number>>,
  { pods = [], claims = [looked], gpus = 0 }: { pods?: Pod[]; claims?: ResourceClaim[]; gpus?: number } = {},
) {
  const objects = {
    classes,
    pod: (_namespace: string, name: string) => pods.find(({ metadata }) => metadata?.name === name),
    claims: () => claims,
  };
  const ofPod: Totals = new Map([
    ['requests.example.com/gpu', quantityOf(gpus)],
    ['requests.deviceclass.resource.kubernetes.io/gpu', quantityOf(gpus)],
  ]);
  const found = deviceQuota(objects, () => ofPod).usageOf(looked, new Map(Object.entries(byClass)));
  return Object.fromEntries([...found].map(([name, amount]) => [name, quantityValue(amount)]));
}

const both = (count: number) => ({
  'requests.deviceclass.resource.kubernetes.io/gpu': count,
  'requests.example.com/gpu': count,
});

test.each([
  ['requests.example.com/gpu', true],
  ['requests.deviceclass.resource.kubernetes.io/gpu', true],
  ['requests.other.kubernetes.io/gpu', false],
  ['requests.cpu', false],
  ['limits.example.com/gpu', false],
  ['example.com/gpu', false],
])('%s is about an extended resource: %s', (name, expected) => {
  expect(isExtendedInQuota(name)).toBe(expected);
});

test("claims count for a class's extended resource names, and for existing classes", () => {
  const { countsFor } = deviceQuota({ classes, pod: () => undefined, claims: () => [] }, () => new Map());
  const names = [
    'requests.example.com/gpu',
    'requests.deviceclass.resource.kubernetes.io/gpu',
    'requests.deviceclass.resource.kubernetes.io/plain',
    'requests.deviceclass.resource.kubernetes.io/absent',
    'requests.example.com/other',
    'requests.cpu',
  ];

  expect(names.map(countsFor)).toEqual([true, true, true, false, false, false]);
});

test('a separate claim counts fully, by the class and by its extended resource', () => {
  expect(usage(claim('c'), { gpu: 3 }, { gpus: 2 })).toEqual(both(3));
  expect(usage(claim('c'), { plain: 2 })).toEqual({
    'requests.deviceclass.resource.kubernetes.io/plain': 2,
  });
});

test('a claim created for a pod counts only what the pod does not count already', () => {
  const pods = [pod('p')];

  expect(usage(claim('c', { pod: 'p' }), { gpu: 3 }, { pods, gpus: 2 })).toEqual(both(1));
  expect(usage(claim('c', { pod: 'p' }), { gpu: 2 }, { pods, gpus: 2 })).toEqual({});
});

test('of several claims made for a pod only the oldest is the pod’s, of equals the first by name', () => {
  const pods = [pod('p')];
  const [older, younger] = [claim('z', { pod: 'p', second: 1 }), claim('a', { pod: 'p', second: 2 })];
  const alike = [claim('a', { pod: 'p' }), claim('b', { pod: 'p' })];

  expect(usage(older, { gpu: 1 }, { pods, claims: [older, younger], gpus: 1 })).toEqual({});
  expect(usage(younger, { gpu: 1 }, { pods, claims: [older, younger], gpus: 1 })).toEqual(both(1));
  expect(usage(alike[0]!, { gpu: 1 }, { pods, claims: alike, gpus: 1 })).toEqual({});
  expect(usage(alike[1]!, { gpu: 1 }, { pods, claims: alike, gpus: 1 })).toEqual(both(1));
});

test("the claim in the pod's status takes precedence over age", () => {
  const pods = [pod('p', { status: { extendedResourceClaimStatus: { resourceClaimName: 'young' } } })];
  const claims = [claim('old', { pod: 'p', second: 1 }), claim('young', { pod: 'p', second: 2 })];

  expect(usage(claims[0]!, { gpu: 1 }, { pods, claims, gpus: 1 })).toEqual(both(1));
  expect(usage(claims[1]!, { gpu: 1 }, { pods, claims, gpus: 1 })).toEqual({});
});

test('a claim of a deleted or recreated pod counts fully', () => {
  const renewed = pod('p', { metadata: { name: 'p', namespace: 'default', uid: 'other' } });

  expect(usage(claim('c', { pod: 'p' }), { gpu: 1 }, { gpus: 1 })).toEqual(both(1));
  expect(usage(claim('c', { pod: 'p' }), { gpu: 1 }, { pods: [renewed], gpus: 1 })).toEqual(both(1));
});
