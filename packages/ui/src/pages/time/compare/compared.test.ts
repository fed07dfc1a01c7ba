import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { expect, test } from 'vitest';
import { comparedObjects, type Listed } from './compared.ts';

const kind = { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' } as ApiResource;

const entry = (manager: string, time: string, subresource?: string) => ({ manager, time, subresource });

const listed = (
  ...objects: readonly (readonly [name: string, revision: number, uid: string, ...entries: object[]])[]
): Listed =>
  new Map(
    objects.map(([name, revision, uid, ...managedFields]) => [
      name,
      {
        name,
        uid,
        resourceVersion: String(revision),
        creationTimestamp: '2026-01-01T00:00:00Z',
        managedFields,
      } as unknown as KubeObject['metadata'],
    ]),
  );

test('each object that differs is reported once, with its writer', () => {
  const apply = entry('kubectl', '2026-01-01T00:00:00Z');
  const before = listed(['same', 1, 'a', apply], ['scaled', 2, 'b', apply], ['gone', 3, 'c', apply]);
  const after = listed(
    ['same', 1, 'a', apply],
    [
      'scaled',
      9,
      'b',
      apply,
      entry('autoscaler', '2026-01-01T00:00:05Z'),
      entry('controller', '2026-01-01T00:00:06Z', 'status'),
    ],
    ['new', 8, 'd', entry('ci', '2026-01-01T00:00:04Z')],
  );
  expect(
    comparedObjects(kind, before, after).map(({ change, metadata, managers, timeMs }) => [
      change,
      metadata.name,
      managers.join(),
      timeMs === undefined ? undefined : new Date(timeMs).getUTCSeconds(),
    ]),
  ).toEqual([
    ['changed', 'scaled', 'autoscaler', 6],
    ['created', 'new', 'ci', 4],
    ['deleted', 'gone', '', undefined],
  ]);
});

test('a status that is written again by the same manager is an update of the status', () => {
  const set = entry('kube-controller-manager', '2026-01-01T00:00:00Z');
  const at = (revision: number, generation?: number, labels = {}): Listed => {
    const [[key, metadata] = ['', {}]] = listed(['web', revision, 'a', set]);
    return new Map([[key, { ...metadata, generation, labels } as KubeObject['metadata']]]);
  };
  const isReport = (before: Listed, after: Listed) => comparedObjects(kind, before, after)[0]?.isReport;
  expect(isReport(at(1, 1), at(2, 1))).toBe(true);
  expect(isReport(at(1, 1), at(2, 2))).toBe(false);
  expect(isReport(at(1, 1), at(2, 1, { app: 'web' }))).toBe(false);
  expect(isReport(at(1), at(2))).toBe(false);
});

test('status updates are distinguished, and an object that replaced another is new', () => {
  const apply = entry('kubectl', '2026-01-01T00:00:00Z');
  const before = listed(['reported', 1, 'a', apply], ['replaced', 2, 'b', apply]);
  const after = listed(
    ['reported', 5, 'a', apply, entry('controller', '2026-01-01T00:00:06Z', 'status')],
    ['replaced', 6, 'c', apply],
  );
  expect(comparedObjects(kind, before, after).map(({ change, isReport }) => [change, isReport])).toEqual([
    ['changed', true],
    ['created', false],
  ]);
});
