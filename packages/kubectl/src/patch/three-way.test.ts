import { expect, test } from 'vitest';
import { noPatchSchema, type PatchSchema } from './patch-schema.ts';
import { threeWayMergePatch, threeWayStrategicPatch } from './three-way.ts';

const byName: PatchSchema = {
  field: () => ({
    strategies: ['merge'],
    mergeKey: 'name',
    get child() {
      return byName;
    },
  }),
};

test('fields that are no longer configured are removed, and those set by others are kept', () => {
  const patch = threeWayMergePatch({ a: 1, gone: 2 }, { a: 3 }, { a: 1, gone: 2, others: 4 });
  expect(patch).toEqual({ a: 3, gone: null });
});

test('nothing to do is an empty patch', () => {
  expect(threeWayMergePatch({ a: 1 }, { a: 1 }, { a: 1, others: 2 })).toEqual({});
});

test('items of lists are identified by their key', () => {
  const before = {
    containers: [
      { name: 'a', image: '1' },
      { name: 'b', image: '1' },
    ],
  };
  const after = { containers: [{ name: 'a', image: '2' }] };
  const patch = threeWayStrategicPatch(before, after, before, byName) as { containers: unknown[] };
  expect(patch.containers).toContainEqual({ name: 'a', image: '2' });
  expect(patch.containers).toContainEqual({ name: 'b', $patch: 'delete' });
});

test('lists without a key are replaced', () => {
  expect(threeWayStrategicPatch({ l: [1] }, { l: [1, 2] }, { l: [1] }, noPatchSchema)).toEqual({ l: [1, 2] });
});

test('an item of a list with retainKeys loses what the server has defaulted', () => {
  const volumes: PatchSchema = {
    field: () => ({ strategies: ['merge', 'retainKeys'], mergeKey: 'name', child: noPatchSchema }),
  };
  const current = { volumes: [{ name: 'data', emptyDir: {} }, { name: 'other' }] };
  const modified = { volumes: [{ name: 'data', hostPath: { path: '/data' } }, { name: 'other' }] };
  const lastApplied = { volumes: [{ name: 'data' }, { name: 'other' }] };
  expect(threeWayStrategicPatch(lastApplied, modified, current, volumes)).toEqual({
    '$setElementOrder/volumes': [{ name: 'data' }, { name: 'other' }],
    volumes: [{ name: 'data', hostPath: { path: '/data' }, $retainKeys: ['hostPath', 'name'] }],
  });
});
