import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { MapPod } from '../overview/pods.ts';
import {
  clusterPast,
  countAt,
  revisionAt,
  revisionUntil,
  stateAt,
  type PastObject,
  type Reported,
} from './cluster-past.ts';

const reported = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  name: string,
  revision: number,
  state: string,
  time = '',
): Reported<MapPod> => {
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

test('the state at a change includes all changes up to it', () => {
  const past = clusterPast(nothing, {
    pods: [
      reported('ADDED', 'a', 3, 'Pending', '2026-01-01T00:00:01Z'),
      reported('MODIFIED', 'a', 5, 'Running', '2026-01-01T00:00:03Z'),
      reported('ADDED', 'b', 4, 'Pending', '2026-01-01T00:00:02Z'),
      reported('DELETED', 'a', 8, 'Running'),
    ],
    nodes: [],
  });
  const states = [0, 1, 2, 3, 4].map((count) =>
    [...stateAt(past, count).pods.values()]
      .map(({ metadata, health }) => `${metadata.name} ${health.state}`)
      .join(),
  );
  expect(states).toEqual(['', 'a Pending', 'a Pending,b Pending', 'a Running,b Pending', 'b Pending']);
  expect(past.changes.at(-1)!.timeMs).toBe(Date.parse('2026-01-01T00:00:03Z'));
});

test('invisible changes are omitted', () => {
  const past = clusterPast(nothing, {
    pods: [
      reported('ADDED', 'a', 3, 'Running'),
      reported('MODIFIED', 'a', 4, 'Running'),
      reported('MODIFIED', 'a', 5, 'NotReady'),
    ],
    nodes: [],
  });
  expect(past.changes.map(({ revision }) => revision)).toEqual([3, 5]);
});

test('all changes of another kind are among those of nodes and pods', () => {
  const settings = (type: 'ADDED' | 'MODIFIED', revision: number): Reported<PastObject> => {
    const metadata = { name: 'c', uid: 'c', resourceVersion: String(revision) };
    return {
      event: { type, object: { metadata } },
      shown: { metadata, health: { tone: 'ok', state: '', reason: '' } },
    };
  };
  const past = clusterPast(nothing, {
    pods: [reported('ADDED', 'a', 4, 'Running')],
    nodes: [],
    others: { kind: 'ConfigMap', reported: [settings('ADDED', 3), settings('MODIFIED', 5)] },
  });
  expect(past.changes.map(({ kind, revision }) => `${kind} ${revision}`)).toEqual([
    'ConfigMap 3',
    'Pod 4',
    'ConfigMap 5',
  ]);
  expect([0, 1, 2, 3].map((count) => revisionAt(past, count))).toEqual([2, 3, 4, 5]);
  expect(stateAt(past, 3).pods.size).toBe(1);
});

test('a moment includes all changes of its second, and ends before the next', () => {
  const past = clusterPast(nothing, {
    pods: [
      reported('ADDED', 'a', 3, 'Pending', '2026-01-01T00:00:01Z'),
      reported('MODIFIED', 'a', 7, 'Running', '2026-01-01T00:00:03Z'),
    ],
    nodes: [],
  });
  const counts = [0, 1, 2, 3].map((second) => countAt(past, Date.parse(`2026-01-01T00:00:0${second}.500Z`)));
  expect(counts).toEqual([0, 1, 1, 2]);
  expect([0, 1, 2].map((count) => revisionUntil(past, count, 12))).toEqual([2, 6, 12]);
});
