import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelSelectorInSteps, parseLabelSelector } from './label-selector-text.ts';
import { labelSelectorOf, selectorOfCached, type Labels, type Requirement } from './label-selector.ts';

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

test.each([
  ['a set', 3_000, (at: number) => (at === 0 ? 'a in (' : ','), (text: string) => `${text})`],
  ['requirements', 3_000, (at: number) => (at === 0 ? '' : '!=v,k'), (text: string) => `k${text}!=v`],
])('a long selector of %s is parsed in short steps, as at once', (_name, count, before, whole) => {
  const parts = Array.from({ length: count }, (_, at) => `${before(at)}${(at * 1_009) % count}`);
  const text = whole(parts.join(''));
  const steps = labelSelectorInSteps(text);
  let stepCount = 1;
  let last = steps.next();
  for (; last.done !== true; last = steps.next()) stepCount++;
  const selector = last.value;
  const atOnce = parseLabelSelector(text);

  expect(stepCount).toBeGreaterThan(count / 256);
  expect(selector.requirements).toEqual(atOnce.requirements);
  const objects: readonly Labels[] = [{ a: '7' }, { a: 'none' }, { k7: 'v' }, { k7: 'w' }, {}];
  for (const each of objects) expect(selector.matches(each)).toBe(atOnce.matches(each));
});

test('an invalid value of a long set is refused as at once', () => {
  const text = `a in (${Array.from({ length: 1_000 }, (_, at) => `v${at}`).join(',')},-)`;
  const steps = () => [...labelSelectorInSteps(text)];
  expect(steps).toThrow(/^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-"/);
  expect(() => parseLabelSelector(text)).toThrow(/values\[0\]\[a\]: Invalid value: "-"/);
});

test('the selector of a cached spec is made once', () => {
  let reads = 0;
  const spec = {
    get matchExpressions() {
      reads++;
      return [{ key: 'tier', operator: 'NotIn', values: ['front'] }];
    },
  };
  for (const tier of ['front', 'back', 'front']) {
    expect(selectorOfCached(spec).matches({ tier })).toBe(tier !== 'front');
  }
  expect(reads).toBe(1);
  expect(selectorOfCached(undefined).nothing).toBe(true);
});
