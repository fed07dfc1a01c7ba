import { expect, test } from 'vitest';
import { restored } from './restored.ts';

const then = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', uid: '1', resourceVersion: '5', labels: { was: 'so' } },
  spec: { size: 1 },
  status: { seen: 1 },
};

test('the desired state is restored, and the observed state stays', () => {
  const now = {
    ...then,
    metadata: { name: 'a', uid: '1', resourceVersion: '9' },
    spec: { size: 2, more: true },
    status: { seen: 2 },
  };
  expect(JSON.parse(JSON.stringify(restored(then, now)))).toEqual({
    ...then,
    metadata: { name: 'a', uid: '1', resourceVersion: '9', labels: { was: 'so' } },
    status: { seen: 2 },
  });
});

test('a deleted object is created again, as a new object', () => {
  expect(restored(then, undefined)).toEqual({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a', labels: { was: 'so' } },
    spec: { size: 1 },
  });
});
