import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fieldSelectorInSteps,
  fieldSelectorOf,
  parseFieldSelector,
  type FieldTerm,
} from './field-selector.ts';

const field = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('', '1', '2');
const terms: fc.Arbitrary<FieldTerm> = fc.record({
  field,
  operator: fc.constantFrom('=', '!='),
  value,
});

test('a selector selects what each of its terms does', () => {
  fc.assert(
    fc.property(fc.array(terms, { maxLength: 8 }), fc.dictionary(field, value), (all, fields) => {
      const isSelected = all.every(
        (term) => ((fields[term.field] ?? '') === term.value) === (term.operator === '='),
      );
      expect(fieldSelectorOf(all).matches((name) => fields[name] ?? '')).toBe(isSelected);
    }),
    { numRuns: 2000 },
  );
});

test('a field is read once for each object, however many terms it has', () => {
  const all = Array.from({ length: 10_000 }, (_, at): FieldTerm => {
    return { field: 'metadata.name', operator: '!=', value: `n${at}` };
  });
  let reads = 0;
  const nameIs = (name: string) => () => {
    reads++;
    return name;
  };
  const selector = fieldSelectorOf(all);
  expect([selector.matches(nameIs('other')), selector.matches(nameIs('n7'))]).toEqual([true, false]);
  expect(reads).toBe(2);
});

test('a long selector is parsed in short steps, as at once', () => {
  const text = Array.from({ length: 3_000 }, (_, at) => `a!=n${(at * 1_009) % 3_000}`).join(',');
  const steps = fieldSelectorInSteps(text);
  let stepCount = 1;
  let last = steps.next();
  for (; last.done !== true; last = steps.next()) stepCount++;

  expect(stepCount).toBeGreaterThan(2 * (3_000 / 256));
  expect(last.value.terms).toEqual(parseFieldSelector(text).terms);
  expect([last.value.matches(() => 'n7'), last.value.matches(() => 'm7')]).toEqual([false, true]);
});
