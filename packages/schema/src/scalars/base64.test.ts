import { expect, test } from 'vitest';
import { canonicalBase64, toBase64 } from './base64.ts';

test("input as long as a webhook's maximum response is parsed", () => {
  const text = 'eHh4'.repeat(4 * 1024 * 1024);

  expect(canonicalBase64(text) === text).toBe(true);
  expect(() => canonicalBase64(`${text}!`)).toThrow(`illegal base64 data at input byte ${text.length}`);
});

test.each([
  ['', ''],
  ['eHh4', 'eHh4'],
  ['eH\r\nh4', 'eHh4'],
  ['eHg=', 'eHg='],
  ['eHk=', 'eHk='],
  ['eR==', 'eQ=='],
])('%j is read as %j', (text, canonical) => {
  expect(canonicalBase64(text)).toBe(canonical);
});

test.each(['=', '====', 'a', 'ab=', 'abc', 'ab==cd==', 'a===', 'ab c', 'ab-_'])('%j is refused', (text) => {
  expect(() => canonicalBase64(text)).toThrow('illegal base64 data at input byte');
});

test('bytes of any number are written', () => {
  const bytes = Uint8Array.from({ length: 100_001 }, (_, at) => at);

  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});
