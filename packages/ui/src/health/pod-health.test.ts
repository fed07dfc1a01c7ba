import type { Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { lostNodeOf, podHealth } from './pod-health.ts';

test('a pod that is evicted says what evicts it', () => {
  const message = 'Taint manager: deleting due to NoExecute taint';
  const pod = (deletionTimestamp?: string) =>
    ({
      metadata: { name: 'web', deletionTimestamp },
      status: {
        phase: deletionTimestamp === undefined ? 'Failed' : 'Running',
        conditions: [{ type: 'DisruptionTarget', status: 'True', message }],
      },
    }) as unknown as Live<Pod>;
  expect(podHealth(pod('2026-01-01T00:00:00Z'))).toMatchObject({ state: 'Terminating', reason: message });
  expect(podHealth(pod())).toMatchObject({ state: 'Failed', reason: message });
});

test('a pod that a controller makes unready, without a word of its node, has lost its node', () => {
  const pod = (message: string, isReady: boolean) =>
    ({
      metadata: { name: 'web' },
      spec: { nodeName: 'alder' },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'False', message }],
        containerStatuses: [{ name: 'main', ready: isReady, state: { running: {} } }],
      },
    }) as unknown as Live<Pod>;
  expect(podHealth(pod('', true))).toMatchObject({
    state: 'NotReady',
    reason: 'its node alder is not ready',
  });
  expect(lostNodeOf(pod('', true))).toBe('alder');
  expect(lostNodeOf(pod('', false))).toBeUndefined();
  expect(lostNodeOf(pod('a readiness gate is not met', true))).toBeUndefined();
});
