import { expect, test } from 'vitest';
import { warningHeaders } from './warning-recorder.ts';

test('a warning that no header can carry is left out', () => {
  expect(warningHeaders(['a\nb', 'c\u0085', '\ud800', 'fine'])).toEqual(['299 - "fine"']);
});

test('warnings beyond the limit are truncated, then omitted', () => {
  const headers = warningHeaders(Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(300)}`));

  expect(headers).toHaveLength(16);
  expect(headers.every((header) => header.length === '299 - ""'.length + 256)).toBe(true);
});
