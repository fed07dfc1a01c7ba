import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonInSteps } from './json-in-steps.ts';
import { atOnce } from './work-in-steps.ts';

const parsed = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    return [parse(text)];
  } catch (failure) {
    return failure instanceof SyntaxError ? 'refused' : failure;
  }
};
const inSteps = (text: string, partMax?: number) => parsed((one) => atOnce(jsonInSteps(one, partMax)), text);
const atOnceParsed = (text: string) => parsed(JSON.parse, text);

test('a text has the value that JSON.parse finds in it', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent);
      for (const partMax of [2, 10, undefined])
        expect(inSteps(spaced, partMax)).toEqual(atOnceParsed(spaced));
    }),
  );
});

test('a text that JSON.parse refuses is refused', () => {
  const pieces = fc.constantFrom(
    ...'{}[],:"\\',
    '"a"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    ' ',
    '\\u00',
    '\u0001',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (all) => {
      const text = all.join('');
      for (const partMax of [2, undefined]) expect(inSteps(text, partMax)).toEqual(atOnceParsed(text));
    }),
    { numRuns: 5_000 },
  );
});

test('a long document is read in many steps, and a deep one is refused', () => {
  const items = Array.from({ length: 10_000 }, (_, at) => ({ name: `a "${at}"`, __proto__: null }));
  let steps = 0;
  const reading = jsonInSteps(JSON.stringify({ items }));
  while (reading.next().done !== true) steps++;
  expect(steps).toBeGreaterThan(100);

  expect(inSteps('['.repeat(10_001))).toBe('refused');
  expect(inSteps('{"__proto__":{"a":1}}')).toEqual([JSON.parse('{"__proto__":{"a":1}}')]);
});
