import { expect, test } from 'vitest';
import { kind, map, ObjectMeta, optional, string, struct } from '../index.ts';
import { spentStrategicPatch } from '../strategic-merge.ts';

const Spec = struct('v1.Spec', { a: optional(1, string), b: optional(2, map(string)) });
const { type } = kind(
  'core/v1.Thing',
  'v1',
  { plural: 'things', namespaced: true },
  { metadata: optional(1, ObjectMeta), spec: optional(2, Spec) },
);

test.each([
  ['nulls of what is new are gone', { spec: { b: { x: null, y: '1' } } }, { spec: { b: { y: '1' } } }],
  [
    'nulls of what is there stay',
    { metadata: { labels: { x: null } } },
    { metadata: { labels: { x: null } } },
  ],
  ['a replacement is done with', { spec: { $patch: 'replace', a: '1' } }, { spec: { a: '1' } }],
  ['a deletion stays', { spec: { $patch: 'delete' } }, { spec: { $patch: 'delete' } }],
  ['retained keys are done with', { spec: { $retainKeys: ['a'], a: '1' } }, { spec: { a: '1' } }],
])('%s', (_, patch, left) => {
  const live = { metadata: { name: 'a', labels: { x: '1' } }, spec: { a: '0' } };

  expect(spentStrategicPatch(type, live, patch)).toEqual(left);
});
