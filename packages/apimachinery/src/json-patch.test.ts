import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepClone } from './deep-clone.ts';
import { applyJsonPatch, decodeJsonPatch, jsonPatchCopyBytesMax } from './json-patch.ts';
import { applyMergePatch, createMergePatch } from './merge-patch.ts';
import { AllowanceSpent, WorkAllowance, withinAllowance } from './work-allowance.ts';

test('the document itself is never changed, whatever the patch', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue()),
      fc.array(operation(), { maxLength: 4 }),
      (document, patch) => {
        const before = deepClone(document);
        try {
          applyJsonPatch(document, patch);
        } catch {
          // A patch that fails must not change it either.
        }
        expect(document).toEqual(before);
      },
    ),
  );
});

test('a copied list that is changed afterwards leaves its source alone', () => {
  const patched = applyJsonPatch({ a: { list: [1] } }, [
    { op: 'add', path: '/a/list/-', value: 2 },
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'add', path: '/b/list/-', value: 3 },
  ]);
  expect(patched).toEqual({ a: { list: [1, 2] }, b: { list: [1, 2, 3] } });
});

test('copies that double the document are stopped at the limit', () => {
  const doubling = Array.from({ length: 40 }, (_, index) => ({
    op: 'copy',
    from: '/a',
    path: `/a/${index}`,
  }));
  expect(() => applyJsonPatch({ a: { text: 'x'.repeat(1000) } }, doubling)).toThrow(
    `exceeding the limit ${jsonPatchCopyBytesMax}`,
  );
});

test('__proto__ is an ordinary member', () => {
  const patched = applyJsonPatch(JSON.parse('{}'), [
    { op: 'add', path: '/__proto__', value: { polluted: true } },
  ]);
  expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test("a patch that is not a list is refused with upstream's message", () => {
  expect(() => decodeJsonPatch({ op: 'add' })).toThrow(
    'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  );
});

test('a merge patch made of two documents makes one out of the other', () => {
  const withoutNull = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.integer(),
      fc.string(),
      fc.array(fc.integer()),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const document = fc.dictionary(fc.string(), withoutNull, { maxKeys: 4 });
  fc.assert(
    fc.property(document, document, (original, modified) => {
      expect(applyMergePatch(original, createMergePatch(original, modified))).toEqual(modified);
    }),
  );
});

function operation() {
  const pointer = fc
    .array(fc.constantFrom('a', 'b', '0', '-1', '-'), { maxLength: 3 })
    .map((parts) => `/${parts.join('/')}`);
  return fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: pointer,
    from: pointer,
    value: fc.jsonValue(),
  });
}

test('a patch that copies much is left to another thread where there is one', () => {
  const doubled = Array.from({ length: 20 }, (_, at) => ({ op: 'copy', from: '/a', path: `/a/copy${at}` }));
  const document = { a: { text: 'x'.repeat(100) } };
  const allowance = new WorkAllowance({ monotonic: () => 0 }, 1);

  expect(() => withinAllowance(allowance, () => applyJsonPatch(document, doubled))).toThrow(AllowanceSpent);
  expect(() => applyJsonPatch(document, doubled)).toThrow('exceeding the limit');
});
