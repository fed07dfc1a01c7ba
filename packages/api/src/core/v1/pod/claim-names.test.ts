import { expect, test } from 'vitest';
import { resourceClaimName, resourceClaimNames, volumeClaimName } from './claim-names.ts';

test("a ResourceClaim from a template has the name in the pod's status", () => {
  const claim = { name: 'gpu', resourceClaimTemplateName: 't' };
  const nameWith = (...resourceClaimStatuses: { name: string; resourceClaimName?: string }[]) =>
    resourceClaimName({ status: { resourceClaimStatuses } }, claim);

  expect(nameWith()).toEqual({ kind: 'missing' });
  expect(nameWith({ name: 'gpu' })).toEqual({ kind: 'needless' });
  expect(nameWith({ name: 'gpu', resourceClaimName: 'c' })).toEqual({
    kind: 'named',
    name: 'c',
    isGenerated: true,
  });
});

test("claims made for extended resources are the pod's, too", () => {
  const spec = { containers: [], resourceClaims: [{ name: 'gpu', resourceClaimName: 'mine' }] };
  const extendedResourceClaimStatus = { resourceClaimName: 'made', requestMappings: [] };
  expect(resourceClaimNames({ spec, status: { extendedResourceClaimStatus } })).toEqual(['mine', 'made']);
});

test('the claim of an ephemeral volume has the names of pod and volume', () => {
  const pod = { metadata: { name: 'web' } };
  expect(volumeClaimName(pod, { name: 'data', ephemeral: {} })).toBe('web-data');
  expect(volumeClaimName(pod, { name: 'data', persistentVolumeClaim: { claimName: 'db' } })).toBe('db');
  expect(volumeClaimName(pod, { name: 'data', emptyDir: {} })).toBeUndefined();
});
