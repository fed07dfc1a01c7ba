import { expect, test } from 'vitest';
import { encode } from '../encode.ts';
import { any, pointer, struct } from '../type.ts';
import { parseJson } from './parsed.ts';
import { plainJson } from './plain.ts';

const Holder = struct('test/v1.Holder', { value: pointer(0, any) });
const text = '{"a":9007199254740993,"b":1.0,"c":[1e3,18446744073709551616]}';

test('all digits are kept on request', () => {
  const { value } = plainJson(parseJson(text), 'all');

  expect(encode(Holder, { value })).toBe(`{"value":${text}}`);
});

test('otherwise integers of 64 bits are exact, and the rest are doubles', () => {
  expect(plainJson(parseJson(text), 'integers').value).toEqual({
    a: 9007199254740993n,
    b: 1,
    c: [1000, 18446744073709552000],
  });
});

test('duplicate members are reported, each once, and the last one is kept', () => {
  expect(plainJson(parseJson('{"a":{"x":1,"x":2,"x":3},"b":[{"y":1,"y":1}]}'), 'all')).toEqual({
    value: { a: { x: 3 }, b: [{ y: 1 }] },
    duplicates: ['a.x', 'b[0].y'],
    problems: ['duplicate field "a.x"', 'duplicate field "b[0].y"'],
  });
});
