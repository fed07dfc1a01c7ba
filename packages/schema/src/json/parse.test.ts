import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonTree } from './parse.ts';
import { countMembers } from './scan.ts';
import { plainOf } from './tree.ts';

test('reads whatever JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.stringify(plainOf(parseJsonTree(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('refuses whatever JSON.parse refuses', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,0123-+.eE\\utrufalsn \n') }), (text) => {
      const parses = (read: () => unknown): boolean => {
        try {
          read();
          return true;
        } catch {
          return false;
        }
      };

      expect(parses(() => parseJsonTree(text))).toBe(parses(() => JSON.parse(text)));
    }),
    { numRuns: 2000 },
  );
});

test('members are counted as often as they are written', () => {
  expect(countMembers('{"a":{"b":1,"b":2},"c":["x:y",{"d:\\"e":3}]}')).toBe(5);
});

test.each(['1.0', '1e3', '-0', '1234567890123456', '"\\ud800"'])('%s needs the exact parser', (value) => {
  expect(countMembers(`{"a":${value}}`)).toBe(-1);
});
