import { expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../objects.ts';
import {
  byRevision,
  lastRevision,
  newSetAnnotations,
  nextRevision,
  revisionAnnotation,
} from './revisions.ts';

const set = (name: string, revision?: string): ReplicaSet =>
  ({
    metadata: {
      name,
      ...(revision === undefined ? {} : { annotations: { [revisionAnnotation]: revision } }),
    },
  }) as unknown as ReplicaSet;

const deployment = { metadata: { name: 'web' } } as unknown as Deployment;

test('revisions are exact even beyond the precision of a double', () => {
  expect(nextRevision([set('a', '3546343826724305832'), set('b', '7')])).toBe(3546343826724305833n);
});

test('a revision that is no number is passed over', () => {
  expect(nextRevision([set('a', 'first'), set('b', '2')])).toBe(3n);
  expect(lastRevision([set('a', 'first'), set('b', '2'), set('c', '5')])).toBe(2n);
});

test('a set that is rolled back to remembers its former revisions', () => {
  const before = newSetAnnotations(deployment, { [revisionAnnotation]: '1' }, 4n, true);
  expect(newSetAnnotations(deployment, before, 9n, true)).toEqual({
    [revisionAnnotation]: '9',
    'deployment.kubernetes.io/revision-history': '1,4',
  });
});

test('a set never gets a smaller revision than it has', () => {
  const current = { [revisionAnnotation]: '6' };
  expect(newSetAnnotations(deployment, current, 3n, true)).toBe(current);
});

test('the oldest revision comes first', () => {
  const names = byRevision([set('b', '10'), set('a', '9'), set('c')]).map(({ metadata }) => metadata.name);
  expect(names).toEqual(['c', 'a', 'b']);
});
