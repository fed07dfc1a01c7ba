import { expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../objects.ts';
import { claimBoundTo, claimInPhase, volumeBoundTo, volumeUnbound } from './binding.ts';

const claim = {
  metadata: { name: 'c', namespace: 'n', uid: 'u', resourceVersion: '7' },
  spec: {},
  status: { phase: 'Pending' },
} as PersistentVolumeClaim;

const volume = {
  metadata: { name: 'v' },
  spec: { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'] },
} as unknown as PersistentVolume;

const byController = { 'pv.kubernetes.io/bound-by-controller': 'yes' };

test('a volume is bound once; to do it again changes nothing', () => {
  const bound = volumeBoundTo(volume, claim);

  expect(bound.spec?.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', name: 'c', uid: 'u' });
  expect(bound.metadata.annotations).toEqual(byController);
  expect(volumeBoundTo(bound, claim)).toBe(bound);
});

test('a volume that a user promised to the claim does not say that the controller did', () => {
  const promised = { ...volume, spec: { ...volume.spec, claimRef: { name: 'c', namespace: 'n' } } };

  expect(volumeBoundTo(promised, claim).metadata.annotations).toBeUndefined();
  expect(volumeBoundTo(promised, claim).spec?.claimRef?.uid).toBe('u');
});

test('a claim that names its volume is only marked as complete', () => {
  const named = { ...claim, spec: { volumeName: 'v' } } as PersistentVolumeClaim;

  expect(claimBoundTo(named, volume).metadata.annotations).toEqual({
    'pv.kubernetes.io/bind-completed': 'yes',
  });
  expect(claimBoundTo(claim, volume).metadata.annotations).toMatchObject(byController);
});

test('an unbound volume is free, or kept for the claim that its user named', () => {
  const bound = volumeBoundTo(volume, claim);
  expect(volumeUnbound(bound)).toEqual(volume);

  const named = { ...volume, spec: { ...volume.spec, claimRef: { name: 'c', namespace: 'n', uid: 'u' } } };
  expect(volumeUnbound(named).spec?.claimRef).toEqual({ name: 'c', namespace: 'n' });
});

test('a bound claim has the size and modes of its volume, and a lost one has none', () => {
  const bound = claimInPhase(claim, 'Bound', volume);
  expect(bound.status).toEqual({
    phase: 'Bound',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '2Gi' },
  });
  expect(claimInPhase(bound, 'Bound', volume)).toBe(bound);
  expect(claimInPhase(bound, 'Lost', undefined).status).toEqual({ phase: 'Lost' });
});

test('a volume without a size cannot be bound', () => {
  expect(() =>
    claimInPhase(claim, 'Bound', { metadata: { name: 'v' }, spec: {} } as PersistentVolume),
  ).toThrow('PersistentVolume "v" is without a storage capacity');
});
