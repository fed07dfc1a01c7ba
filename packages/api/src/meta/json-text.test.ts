import { expect, test } from 'vitest';
import { jsonProblem } from './json-text.ts';

const problemOf = (text: string) => jsonProblem(text, 'object', 'map[string]interface {}');

test.each(['{}', ' {"a":1} ', 'null'])('%s is an object or none', (text) => {
  expect(problemOf(text)).toBeUndefined();
});

test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['tru', "invalid character ' ' in literal true (expecting 'e')"],
  ['-', "invalid character ' ' in numeric literal"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['true', 'json: cannot unmarshal bool into Go value of type map[string]interface {}'],
])('%j is told of as Go does', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});
