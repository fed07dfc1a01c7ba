import { expect, test } from 'vitest';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { AssumedVolumes } from './assumed-volumes.ts';
import { matchingVolume } from './volume-match.ts';

const claim = (name: string, resourceVersion = '1') =>
  ({
    metadata: { name, namespace: 'default', uid: name, resourceVersion },
    spec: {
      resources: { requests: { storage: '1Gi' } },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
    },
  }) as unknown as PersistentVolumeClaim;

const volume = (name: string, resourceVersion = '1', spec: object = {}) =>
  ({
    metadata: { name, resourceVersion },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'late', ...spec },
    status: { phase: 'Available' },
  }) as unknown as PersistentVolume;

const node = (name: string) =>
  ({ metadata: { name, labels: { 'kubernetes.io/hostname': name } } }) as unknown as Node;

const onNode = (name: string) => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }] },
      ],
    },
  },
});

const match = (
  assumed: AssumedVolumes,
  wanted: PersistentVolumeClaim,
  volumes: PersistentVolume[],
  on = 'a',
) => matchingVolume(wanted, volumes, node(on), (one) => assumed.claimOf(one))?.metadata?.name;

test('a volume that was promised stays taken until the cache shows it', () => {
  const assumed = new AssumedVolumes();
  assumed.takeVolume('pod', volume('v'), claim('c'));
  expect(match(assumed, claim('other'), [volume('v')])).toBeUndefined();

  assumed.volumeWritten(volume('v', '5'));
  assumed.giveUp('pod');
  expect(match(assumed, claim('other'), [volume('v', '4')])).toBeUndefined();
  expect(assumed.claimOf(volume('v', '5'))).toBeUndefined();
});

test('a reservation that was not written is released when its pod gives up, and not earlier', () => {
  const assumed = new AssumedVolumes();
  assumed.takeVolume('first', volume('v'), claim('c'));
  assumed.takeVolume('second', volume('v'), claim('c'));
  assumed.giveUp('second');
  expect(match(assumed, claim('other'), [volume('v')])).toBeUndefined();

  assumed.giveUp('first');
  expect(match(assumed, claim('other'), [volume('v')])).toBe('v');
});

test('a second pod with the same claim gets the volume that the first one has taken, or none', () => {
  const assumed = new AssumedVolumes();
  const volumes = [volume('u'), volume('v', '1', onNode('a'))];
  assumed.takeVolume('first', volumes[1]!, claim('c'));

  expect(match(assumed, claim('c'), volumes.toReversed())).toBe('v');
  expect(match(assumed, claim('c'), volumes.toReversed(), 'b')).toBeUndefined();
});

test('reservations that the cache reflects, or whose object is gone, are dropped', () => {
  const assumed = new AssumedVolumes();
  for (const name of ['gone', 'shown', 'late', 'unwritten']) {
    assumed.takeVolume('pod', volume(name), claim('c'));
    if (name !== 'unwritten') assumed.volumeWritten(volume(name, '5'));
  }
  const cached = new Map([
    ['shown', volume('shown', '5')],
    ['late', volume('late', '4')],
    ['unwritten', volume('unwritten', '9')],
  ]);
  assumed.prune(
    (name) => cached.get(name),
    () => undefined,
  );

  const held = ['gone', 'shown', 'late', 'unwritten'].filter((name) => assumed.claimOf(volume(name, '1')));
  expect(held).toEqual(['late', 'unwritten']);
});

test('a claim whose volume is being made on a node waits for that node', () => {
  const assumed = new AssumedVolumes();
  assumed.takeNode('first', claim('c'), 'a');
  expect(assumed.nodeOf(claim('c'))).toBe('a');

  assumed.claimWritten(claim('c', '3'));
  expect(assumed.nodeOf(claim('c', '2'))).toBe('a');
  expect(assumed.nodeOf(claim('c', '3'))).toBeUndefined();
});
