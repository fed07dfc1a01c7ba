import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { MapPod } from '../overview/pods.ts';
import { clusterPast, stateAt, type Told } from './cluster-past.ts';

const told = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  name: string,
  revision: number,
  state: string,
  time = '',
): Told<MapPod> => {
  const metadata = {
    name,
    uid: name,
    resourceVersion: String(revision),
    managedFields: [{ manager: 'x', time }],
  } as unknown as KubeObject['metadata'];
  return {
    event: { type, object: { metadata } },
    shown: { metadata, node: '', health: { tone: 'ok', state, reason: '' } } as unknown as MapPod,
  };
};

const nothing = { pods: new Map(), nodes: new Map() };

test('the state at a change is that of all changes until then', () => {
  const past = clusterPast(
    nothing,
    [
      told('ADDED', 'a', 3, 'Pending', '2026-01-01T00:00:01Z'),
      told('MODIFIED', 'a', 5, 'Running', '2026-01-01T00:00:03Z'),
      told('ADDED', 'b', 4, 'Pending', '2026-01-01T00:00:02Z'),
      told('DELETED', 'a', 8, 'Running'),
    ],
    [],
  );
  const states = [0, 1, 2, 3, 4].map((count) =>
    [...stateAt(past, count).pods.values()]
      .map(({ metadata, health }) => `${metadata.name} ${health.state}`)
      .join(),
  );
  expect(states).toEqual(['', 'a Pending', 'a Pending,b Pending', 'a Running,b Pending', 'b Pending']);
  expect(past.changes.at(-1)!.timeMs).toBe(Date.parse('2026-01-01T00:00:03Z'));
});

test('changes that nobody would see are left out', () => {
  const past = clusterPast(
    nothing,
    [
      told('ADDED', 'a', 3, 'Running'),
      told('MODIFIED', 'a', 4, 'Running'),
      told('MODIFIED', 'a', 5, 'NotReady'),
    ],
    [],
  );
  expect(past.changes.map(({ revision }) => revision)).toEqual([3, 5]);
});
