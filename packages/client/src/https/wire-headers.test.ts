import { expect, test } from 'vitest';
import { wireHeaders } from './wire-headers.ts';

test('non-ASCII characters are sent as UTF-8, and the rest unchanged', () => {
  const plain = { authorization: 'Bearer token', accept: ['a', 'b'] };
  expect(wireHeaders(plain)).toBe(plain);
  expect(wireHeaders({ ...plain, 'impersonate-group': ['dev', 'café'] })).toEqual({
    ...plain,
    'impersonate-group': ['dev', Buffer.from('café').toString('latin1')],
  });
});

test.each(['a\nX-Evil: 1', 'a\r', '\0', '\u007f', 'é\n'])('%j is no value of a header', (value) => {
  const sent = { 'impersonate-group': ['é', value] };
  expect(() => wireHeaders(sent)).toThrow('net/http: invalid header field value for "Impersonate-Group"');
});
