import { expect, test } from 'vitest';
import { originPattern, originProblem } from './allowed-origins.ts';

test.each(['//example\\.com(:|$)', '^https:\\/\\/foo\\-bar\\.com$', '(?i)//example.com$'])(
  '%s is taken',
  (pattern) => {
    expect(originProblem(pattern)).toBeUndefined();
  },
);

test.each([
  ['', 'empty value in --cors-allowed-origins'],
  ['example.com', 'does not pin to start/end of host'],
  ['//example.com', 'does not pin to start/end of host'],
  ['//example(.com$', 'error parsing regexp: missing closing ): `//example(.com$`'],
  ['[', 'error parsing regexp: missing closing ]: `[`'],
  [')', 'error parsing regexp: unexpected ): `)`'],
  ['*a', 'error parsing regexp: missing argument to repetition operator: `*`'],
  ['a\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
])('%j is refused', (pattern, problem) => {
  expect(originProblem(pattern)).toContain(problem);
});

test('flags that Go writes into the pattern hold', () => {
  expect(originPattern('(?i)//Example.com$').test('https://example.COM')).toBe(true);
  expect(originPattern('//Example.com$').test('https://example.COM')).toBe(false);
});
