import { expect, test } from 'vitest';
import type { Pod } from '../objects.ts';
import { disruptionTarget } from './disruption-target.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const pod = (conditions: readonly object[] = []): Pod =>
  ({ metadata: { name: 'p', generation: 3 }, status: { conditions } }) as unknown as Pod;

test('the condition says why, since when, and of which generation', () => {
  expect(disruptionTarget(pod(), 'True', nowMs, { reason: 'DeletionByPodGC', message: 'gone' })).toEqual({
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'gone',
    observedGeneration: 3,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
});

test('its time moves only with its status', () => {
  const before = pod([
    { type: 'DisruptionTarget', status: 'True', lastTransitionTime: '2025-12-31T00:00:00Z' },
  ]);
  expect(disruptionTarget(before, 'True', nowMs).lastTransitionTime).toBe('2025-12-31T00:00:00Z');
  expect(disruptionTarget(before, 'False', nowMs).lastTransitionTime).toBe('2026-01-01T00:00:00Z');
});
