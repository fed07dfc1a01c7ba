import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLabelSelector } from './label-selector-text.ts';
import { labelSelectorOf, type Requirement } from './label-selector.ts';

const key = fc.constantFrom('a', 'b', 'c', 'constructor');
const value = fc.constantFrom('', '1', '2', 'x');
const requirements: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('=', '==', '!=', 'gt', 'lt'), values: fc.tuple(value) }),
  fc.record({ key, operator: fc.constantFrom('exists', '!'), values: fc.constant([]) }),
  fc.record({
    key,
    operator: fc.constantFrom('in', 'notin'),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
);
const labels = fc.option(fc.dictionary(key, value), { nil: undefined });

test('a selector of any length selects what each of its requirements does', () => {
  fc.assert(
    fc.property(fc.array(requirements, { minLength: 1, maxLength: 20 }), labels, (all, of) => {
      const isSelected = all.every((one) => labelSelectorOf([one]).matches(of));
      expect(labelSelectorOf(all).matches(of)).toBe(isSelected);
    }),
    { numRuns: 2000 },
  );
});

/** If each object cost as much as the selector is long, this would take minutes. */
test.each([
  ['!', '!KEY'],
  ['!=', 'KEY!=v'],
  ['notin', 'KEY notin (v,w)'],
])('a long selector costs no more for each object than its labels: %s', (_, text) => {
  const all = Array.from({ length: 50_000 }, (__, at) => text.replace('KEY', `key-${at}`)).join(',');
  const selector = parseLabelSelector(all);

  const objects = Array.from({ length: 50_000 }, (__, at) => ({ app: `app-${at}`, 'key-7': 'v' }));
  const without = objects.map(({ app }) => ({ app }));
  expect(objects.filter((one) => selector.matches(one))).toEqual([]);
  expect(without.filter((one) => selector.matches(one)).length).toBe(without.length);
});
