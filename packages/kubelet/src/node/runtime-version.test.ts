import { expect, test } from 'vitest';
import { plainVersion } from './runtime-version.ts';

test('only the numbers of a distribution’s version are reported', () => {
  expect(plainVersion('1.6.20~ds1')).toBe('1.6.20');
  expect(plainVersion('v1.7.1')).toBe('1.7.1');
});

test('a semantic version is reported with its build metadata', () => {
  expect(plainVersion('v2.0.0-rc.1')).toBe('2.0.0-rc.1');
});
