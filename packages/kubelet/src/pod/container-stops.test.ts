import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { graceMsOf } from './container-stops.ts';

const graceSeconds = (pod: object, probeSeconds?: number): number =>
  graceMsOf({ pod: pod as Pod, graceMsMax: Infinity }, probeSeconds) / 1000;

const spec = { terminationGracePeriodSeconds: 20 };
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 7 };

test('a container gets the time of its pod to end, or of the probe that has failed, or that with which the pod is deleted', () => {
  expect(graceSeconds({ metadata: {}, spec: {} })).toBe(30);
  expect(graceSeconds({ metadata: {}, spec })).toBe(20);
  expect(graceSeconds({ metadata: {}, spec }, 3)).toBe(3);
  expect(graceSeconds({ metadata: {}, spec }, 40)).toBe(40);
  expect(graceSeconds({ metadata: deleted, spec }, 3)).toBe(7);
});
