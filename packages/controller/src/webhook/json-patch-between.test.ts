import { applyJsonPatch, type JsonPatchOperation } from '@coxswain/apimachinery';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPatchBetween } from './json-patch-between.ts';

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, 'a', 'b', ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a/b', '~', '', '0'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('applied to the one, the patch gives the other', () => {
  fc.assert(
    fc.property(fc.record({ x: values }), fc.record({ x: values }), (before, after) => {
      const patch = jsonPatchBetween(before, after) as readonly JsonPatchOperation[];
      expect(applyJsonPatch(before, patch)).toEqual(after);
    }),
    { numRuns: 2000 },
  );
});

test('nothing is patched where nothing differs, and members that are undefined are absent', () => {
  expect(jsonPatchBetween({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }], c: undefined })).toEqual([]);
});

test('elements inserted into a list are added there, and the rest is left alone', () => {
  expect(jsonPatchBetween({ l: [1, 2, 3] }, { l: [1, 9, 2, 3] })).toEqual([
    { op: 'add', path: '/l/1', value: 9 },
  ]);
});
