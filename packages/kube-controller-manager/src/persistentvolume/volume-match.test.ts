import { expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../objects.ts';
import { isPromisedTo, mismatchOf, volumeForClaim } from './volume-match.ts';

const claim = (spec: object = {}): PersistentVolumeClaim =>
  ({
    metadata: { name: 'c', namespace: 'n', uid: 'u' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...spec },
  }) as unknown as PersistentVolumeClaim;

const volume = (name: string, spec: object = {}, more: object = {}): PersistentVolume =>
  ({
    metadata: { name, ...more },
    spec: { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase: 'Available' },
  }) as unknown as PersistentVolume;

const sized = (name: string, storage: string, spec: object = {}) =>
  volume(name, { capacity: { storage }, ...spec });

const nameFor = (of: PersistentVolumeClaim, volumes: readonly PersistentVolume[], delayed = false) =>
  volumeForClaim(of, volumes, delayed)?.metadata.name;

test('a claim gets the smallest volume that is large enough', () => {
  expect(nameFor(claim(), [sized('big', '9Gi'), sized('small', '1Gi'), sized('right', '3Gi')])).toBe('right');
});

test('volumes with fewer access modes go first, even if they are larger', () => {
  const many = sized('many', '2Gi', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
  expect(nameFor(claim(), [many, sized('one', '9Gi')])).toBe('one');
});

test('a volume that is kept for the claim goes before smaller ones', () => {
  const kept = sized('kept', '9Gi', { claimRef: { name: 'c', namespace: 'n' } });
  expect(nameFor(claim(), [sized('right', '2Gi'), kept])).toBe('kept');
});

test('a claim that waits for its pod gets only a volume reserved for it', () => {
  const kept = sized('kept', '9Gi', { claimRef: { name: 'c', namespace: 'n' } });
  expect(nameFor(claim(), [sized('right', '2Gi')], true)).toBeUndefined();
  expect(nameFor(claim(), [kept], true)).toBe('kept');
});

test.each([
  ['belongs to another claim', { claimRef: { name: 'other', namespace: 'n', uid: 'x' } }, {}],
  ['belongs to an earlier claim of the name', { claimRef: { name: 'c', namespace: 'n', uid: 'x' } }, {}],
  ['is a block device', { volumeMode: 'Block' }, {}],
  ['is of another class', { storageClassName: 'fast' }, {}],
  ['has other attributes', { volumeAttributesClassName: 'gold' }, {}],
  ['is being deleted', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }],
])('a volume that %s is left alone', (_why, spec, meta) => {
  expect(nameFor(claim(), [volume('v', spec, meta)])).toBeUndefined();
});

test('a volume that was just made can be had, one that was released cannot', () => {
  const inPhase = (phase: string) => ({ ...volume('v'), status: { phase } }) as PersistentVolume;
  expect(nameFor(claim(), [inPhase('Pending')])).toBe('v');
  expect(nameFor(claim(), [inPhase('Released')])).toBeUndefined();
  expect(nameFor(claim(), [inPhase('Failed')])).toBeUndefined();
});

test('a selector picks among volumes by their labels', () => {
  const wanted = claim({ selector: { matchLabels: { disk: 'ssd' } } });
  const ssd = volume('ssd', {}, { labels: { disk: 'ssd' } });
  expect(nameFor(wanted, [volume('plain'), ssd])).toBe('ssd');
});

test.each([
  [{ capacity: { storage: '1Gi' } }, {}, 'requested PV is too small'],
  [{ storageClassName: 'x' }, {}, 'storageClassName does not match'],
  [{ volumeMode: 'Block' }, {}, 'incompatible volumeMode'],
  [{ accessModes: ['ReadOnlyMany'] }, {}, 'incompatible accessMode'],
  [{}, { deletionTimestamp: 'now' }, 'the volume is marked for deletion "v"'],
  [{}, {}, undefined],
])('a volume %j with %j that a claim asks for by name: %s', (spec, meta, reason) => {
  expect(mismatchOf(volume('v', spec, meta), claim())).toBe(reason);
});

test('a promise without a uid holds for any claim of the name', () => {
  expect(isPromisedTo(volume('v', { claimRef: { name: 'c', namespace: 'n' } }), claim())).toBe(true);
  expect(isPromisedTo(volume('v'), claim())).toBe(false);
});
