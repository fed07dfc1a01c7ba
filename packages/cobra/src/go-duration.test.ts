import { expect, test } from 'vitest';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

test.each([
  ['0', 0, '0s'],
  ['1h30m', 5_400_000, '1h30m0s'],
  ['1.5s', 1500, '1.5s'],
  ['250ms', 250, '250ms'],
  ['3us', 0.003, '3µs'],
  ['7ns', 0.000007, '7ns'],
  ['-2m', -120_000, '-2m0s'],
  ['.5h', 1_800_000, '30m0s'],
])('%s is %d ms and prints as %s', (text, durationMs, printed) => {
  expect(parseGoDuration(text)).toBeCloseTo(durationMs, 6);
  expect(formatGoDuration(durationMs)).toBe(printed);
});

test.each(['', '-', 's', '1', '1d', '1m5', '. s'])('"%s" is no duration', (text) => {
  expect(() => parseGoDuration(text)).toThrow(/^time: /);
});
