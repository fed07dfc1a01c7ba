import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { ReportedEvent } from '../../../cluster/event.ts';
import { fieldChanges, isRevision, momentsOf, objectOf, revisionAt } from './moments.ts';

const object = (revision: number, replicas: number, time: string) =>
  ({
    metadata: {
      name: 'web',
      resourceVersion: String(revision),
      managedFields: [
        {
          manager: `writer-${replicas}`,
          operation: 'Update',
          time,
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        },
      ],
    },
    spec: { replicas },
  }) as unknown as KubeObject;

const event = (uid: string, revision: number, time: string) =>
  ({
    metadata: { uid, resourceVersion: String(revision) },
    reason: uid,
    timeMs: Date.parse(time),
  }) as unknown as ReportedEvent;

const [first, second] = [object(5, 1, '2026-01-01T10:00:00Z'), object(9, 3, '2026-01-01T10:00:01Z')];
const changes = [
  { kind: 'created', after: first, revision: 5 },
  { kind: 'changed', before: first, after: second, revision: 9 },
] as const;
const deployments = { group: 'apps', resource: 'deployments' };

test('revisions and events stand in one order, within a second by their revisions', () => {
  const moments = momentsOf(deployments, changes, [
    event('after', 10, '2026-01-01T10:00:01.200Z'),
    event('between', 7, '2026-01-01T10:00:01.900Z'),
    event('first', 12, '2026-01-01T09:59:59Z'),
  ]);
  expect(moments.map(({ id }) => id)).toEqual(['efirst', 'r5', 'ebetween', 'r9', 'eafter']);
  expect(moments.filter(isRevision).map(({ writer }) => writer?.manager)).toEqual(['writer-1', 'writer-3']);
});

test('the object at an event is that of the revision before it', () => {
  const moments = momentsOf(deployments, changes, [
    event('early', 1, '2026-01-01T09:00:00Z'),
    event('between', 7, '2026-01-01T10:00:01Z'),
  ]);
  expect(revisionAt(moments, 0)).toBeUndefined();
  expect(objectOf(revisionAt(moments, 2)!)).toBe(first);
  expect(objectOf(revisionAt(moments, 3)!)).toBe(second);
});

test('a deletion, of which no time is known, stays last', () => {
  const deletion = { kind: 'deleted', before: second, revision: 11 } as const;
  const moments = momentsOf(deployments, [...changes, deletion], []);
  expect(moments.at(-1)).toMatchObject({ id: 'r11', timeMs: Date.parse('2026-01-01T10:00:01Z') });
  expect(objectOf(revisionAt(moments, 2)!)).toBe(second);
});

test('the values of secrets are not among the changes', () => {
  const secret = (value: string) =>
    ({ metadata: { name: 's' }, data: { key: value } }) as unknown as KubeObject;
  const [moment] = momentsOf(
    { group: '', resource: 'secrets' },
    [{ kind: 'changed', before: secret('b25l'), after: secret('dHdv'), revision: 3 }],
    [],
  );
  expect(JSON.stringify((moment as { readonly diff: unknown }).diff)).not.toMatch(/b25l|dHdv/);
});

test('what a field was and what it became stand together', () => {
  expect(fieldChanges(['- spec.replicas: 1', '+ spec.replicas: 3', '+ data.a: "x: y"'])).toEqual([
    { path: 'spec.replicas', from: '1', to: '3' },
    { path: 'data.a', to: '"x: y"' },
  ]);
});
