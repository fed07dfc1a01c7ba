import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { ReportedEvent } from '../../../cluster/event.ts';
import type { Change } from '@coxswain/client/history/object-history.ts';
import type { Work } from '../../../work/work.ts';
import { fieldChanges, isRevision, momentsOf, objectOf, revisionAt, type Past } from './moments.ts';

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
const past = (
  changes: readonly Change[],
  events: readonly ReportedEvent[] = [],
  work: readonly Work[] = [],
): Past => ({ changes, events, work });
const deployments = { group: 'apps', resource: 'deployments' };

test('revisions and events are in one order, within a second by revision', () => {
  const moments = momentsOf(
    deployments,
    past(changes, [
      event('after', 10, '2026-01-01T10:00:01.200Z'),
      event('between', 7, '2026-01-01T10:00:01.900Z'),
      event('first', 12, '2026-01-01T09:59:59Z'),
    ]),
  );
  expect(moments.map(({ id }) => id)).toEqual(['efirst', 'r5', 'ebetween', 'r9', 'eafter']);
  expect(moments.filter(isRevision).map(({ writer }) => writer?.manager)).toEqual(['writer-1', 'writer-3']);
});

test('the request that wrote a revision says by whom, and when if managed fields do not', () => {
  const scaled = object(9, 3, '');
  const request: Work = {
    id: '1',
    kind: 'request',
    by: 'alice',
    name: 'PATCH /apis/apps/v1/namespaces/default/deployments/web/scale',
    startMs: Date.parse('2026-01-01T11:00:00Z'),
    durationMs: undefined,
    failure: undefined,
    wrote: [{ revision: 9, key: '' }],
    because: [],
    partOf: [],
  };
  const moments = momentsOf(
    deployments,
    past([changes[0], { kind: 'changed', before: first, after: scaled, revision: 9 }], [], [request]),
  );
  expect(moments.filter(isRevision).at(-1)).toMatchObject({ user: 'alice', timeMs: request.startMs });
  expect(moments.map(({ lane }) => lane)).toEqual(['revision', 'revision']);
});

test('the object at an event is that of the revision before it', () => {
  const moments = momentsOf(
    deployments,
    past(changes, [event('early', 1, '2026-01-01T09:00:00Z'), event('between', 7, '2026-01-01T10:00:01Z')]),
  );
  expect(revisionAt(moments, 0)).toBeUndefined();
  expect(objectOf(revisionAt(moments, 2)!)).toBe(first);
  expect(objectOf(revisionAt(moments, 3)!)).toBe(second);
});

test('a deletion, which has no time, stays last', () => {
  const deletion = { kind: 'deleted', before: second, revision: 11 } as const;
  const moments = momentsOf(deployments, past([...changes, deletion]));
  expect(moments.at(-1)).toMatchObject({ id: 'r11', timeMs: Date.parse('2026-01-01T10:00:01Z') });
  expect(objectOf(revisionAt(moments, 2)!)).toBe(second);
});

test('the values of secrets are not among the changes', () => {
  const secret = (value: string) =>
    ({ metadata: { name: 's' }, data: { key: value } }) as unknown as KubeObject;
  const [moment] = momentsOf(
    { group: '', resource: 'secrets' },
    past([{ kind: 'changed', before: secret('b25l'), after: secret('dHdv'), revision: 3 }]),
  );
  expect(JSON.stringify((moment as { readonly diff: unknown }).diff)).not.toMatch(/b25l|dHdv/);
});

test('the old and the new value of a field are paired', () => {
  expect(fieldChanges(['- spec.replicas: 1', '+ spec.replicas: 3', '+ data.a: "x: y"'])).toEqual([
    { path: 'spec.replicas', from: '1', to: '3' },
    { path: 'data.a', to: '"x: y"' },
  ]);
});

test('containers are placed where their status says that they started and ended', () => {
  const pod = (revision: number, state: object) =>
    ({
      metadata: { name: 'web', resourceVersion: String(revision) },
      status: { containerStatuses: [{ name: 'one', restartCount: 0, state }] },
    }) as unknown as KubeObject;
  const waiting = pod(5, { waiting: { reason: 'ContainerCreating' } });
  const running = pod(6, { running: { startedAt: '2026-01-01T10:00:02Z' } });
  const ended = pod(7, { terminated: { exitCode: 3, reason: 'Error', finishedAt: '2026-01-01T10:00:09Z' } });
  const moments = momentsOf(
    { group: '', resource: 'pods' },
    past([
      { kind: 'created', after: waiting, revision: 5 },
      { kind: 'changed', before: waiting, after: running, revision: 6 },
      { kind: 'changed', before: running, after: running, revision: 8 },
      { kind: 'changed', before: running, after: ended, revision: 9 },
    ]),
  );
  const reported = moments.flatMap((moment) =>
    'state' in moment ? [[moment.state.name, moment.timeMs % 60_000]] : [],
  );
  expect(reported).toEqual([
    ['ContainerCreating', 0],
    ['Running', 2000],
    ['Error', 9000],
  ]);
});

test('a request precedes the revision that it created', () => {
  const work: Work = {
    id: '1',
    kind: 'request',
    by: 'alice',
    name: 'PATCH /apis/apps/v1/namespaces/default/deployments/web',
    startMs: Date.parse('2026-01-01T10:00:01.400Z'),
    durationMs: 3,
    failure: undefined,
    wrote: [{ revision: 9, key: '/registry/deployments/default/web' }],
    because: [],
    partOf: [],
  };
  expect(momentsOf(deployments, past(changes, [], [work])).map(({ id }) => id)).toEqual(['r5', 'w1', 'r9']);
});
