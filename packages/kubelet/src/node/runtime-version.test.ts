import { expect, test } from 'vitest';
import { plainVersion } from './runtime-version.ts';

test('of a distribution’s version only the numbers are told', () => {
  expect(plainVersion('1.6.20~ds1')).toBe('1.6.20');
  expect(plainVersion('v1.7.1')).toBe('1.7.1');
});

test('a semantic version is told with what it says of its build', () => {
  expect(plainVersion('v2.0.0-rc.1')).toBe('2.0.0-rc.1');
});
