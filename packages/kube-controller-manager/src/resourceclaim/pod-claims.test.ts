import { expect, test } from 'vitest';
import type { Pod } from '../objects.ts';
import { isDone } from './claims-of-pods.ts';
import { generatedPrefix } from './pod-claims.ts';

test("the names of generated claims leave room for the server's suffix", () => {
  expect(generatedPrefix('web', 'gpu')).toBe('web-gpu-');

  const long = generatedPrefix('p'.repeat(60), 'c'.repeat(20));
  expect(long).toHaveLength(55);
  expect(long).toMatch(/^p+-c+$/);
});

test('a pod that was deleted before it had a node is done', () => {
  const pod = (spec: object) => ({ metadata: { deletionTimestamp: 'now' }, spec }) as unknown as Pod;
  expect(isDone(pod({}))).toBe(true);
  expect(isDone(pod({ nodeName: 'n' }))).toBe(false);
});
