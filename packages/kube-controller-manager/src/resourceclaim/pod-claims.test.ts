import { expect, test } from 'vitest';
import type { Pod } from '../objects.ts';
import { claimNameOf, isDone } from './claims-of-pods.ts';
import { generatedPrefix } from './pod-claims.ts';

test("the names of generated claims leave room for the server's suffix", () => {
  expect(generatedPrefix('web', 'gpu')).toBe('web-gpu-');

  const long = generatedPrefix('p'.repeat(60), 'c'.repeat(20));
  expect(long).toHaveLength(55);
  expect(long).toMatch(/^p+-c+$/);
});

test("a claim from a template has the name in the pod's status", () => {
  const podClaim = { name: 'gpu', resourceClaimTemplateName: 't' };
  const pod = (statuses: object[]) =>
    ({ metadata: {}, status: { resourceClaimStatuses: statuses } }) as unknown as Pod;

  expect(claimNameOf(pod([]), podClaim)).toEqual({ kind: 'missing' });
  expect(claimNameOf(pod([{ name: 'gpu' }]), podClaim)).toEqual({ kind: 'needless' });
  expect(claimNameOf(pod([{ name: 'gpu', resourceClaimName: 'c' }]), podClaim)).toEqual({
    kind: 'named',
    name: 'c',
    mustBeOwned: true,
  });
});

test('a pod that was deleted before it had a node is done', () => {
  const pod = (spec: object) => ({ metadata: { deletionTimestamp: 'now' }, spec }) as unknown as Pod;
  expect(isDone(pod({}))).toBe(true);
  expect(isDone(pod({ nodeName: 'n' }))).toBe(false);
});
