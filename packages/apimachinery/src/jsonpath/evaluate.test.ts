import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileJsonPath } from './evaluate.ts';

const data = {
  kind: 'List',
  items: [
    { name: 'a', size: 1, tags: ['x', 'y'] },
    { name: 'b', size: 3, tags: [] },
    { name: 'c', size: 2, 'with.dot': true },
  ],
};

test.each([
  ['{.kind}', 'List'],
  ['{.items[*].name}', 'a b c'],
  ['{.items[0].tags}', '["x","y"]'],
  ['{.items[-1].name}', 'c'],
  ['{.items[0:2].name}', 'a b'],
  ['{.items[?(@.size>1)].name}', 'b c'],
  ['{.items[?(@.name=="b")].size}', '3'],
  ['{range .items[*]}{.name}={.size}{"\\n"}{end}', 'a=1\nb=3\nc=2\n'],
  ['{..name}', 'a b c'],
  ["{.items[2]['with\\.dot']}", 'true'],
  ['plain {.kind} text', 'plain List text'],
])('%s', (template, expected) => {
  expect(compileJsonPath(template).print(data)).toBe(expected);
});

test('a field that is not there is an error, or nothing', () => {
  expect(() => compileJsonPath('{.nothing}').print(data)).toThrow('nothing is not found');
  expect(compileJsonPath('{.nothing}', { allowMissingKeys: true }).print(data)).toBe('');
});

test('whole numbers are integers, or doubles where encoding/json has read them', () => {
  const sizes = { id: 1000650000, list: [{ n: 1 }, { n: 2 }] };
  expect(compileJsonPath('{.id} {.list[?(@.n==2)].n}').print(sizes)).toBe('1000650000 2');
  const typed = { numbers: 'doubles' } as const;
  expect(compileJsonPath('{.id}', typed).print(sizes)).toBe('1.00065e+09');
  expect(() => compileJsonPath('{.list[?(@.n==2)].n}', typed).print(sizes)).toThrow(
    'incompatible types for comparison',
  );
});

test('exploding evaluations stop at the limit', () => {
  const descents = compileJsonPath('{..[*]..[*]..[*]}', { visitsMax: 1000 });
  const deep = JSON.parse('[[[[['.repeat(9) + ']]]]]'.repeat(9)) as unknown;
  expect(() => descents.find(Array.from({ length: 50 }, () => deep))).toThrow('too many values to visit');
});

/**
 * Recorded from upstream's kubectl: the object, the template, and its output or error. See
 * test/differential/jsonpath.ts.
 */
interface Recorded {
  readonly specs: readonly unknown[];
  readonly templates: readonly (readonly [number, string, string | null, string?])[];
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/templates.json', import.meta.url), 'utf8'),
) as Recorded;

test(`${recorded.templates.length} templates print what the original's kubectl prints, or fail alike`, () => {
  for (const [index, template, printed, failure] of recorded.templates) {
    const object = { kind: 'Sample', metadata: { name: `sample-${index}` }, spec: recorded.specs[index] };
    const print = () => compileJsonPath(template, { allowMissingKeys: true }).print(object);
    if (printed !== null) expect.soft(print(), template).toBe(printed);
    else expect.soft(print, template).toThrow(failure);
  }
});
