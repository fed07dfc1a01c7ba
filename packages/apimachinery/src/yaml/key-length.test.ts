import { expect, test } from 'vitest';
import { readYaml } from './read.ts';

const long = 'k'.repeat(1025);

/** Responses of upstream's API server to such bodies. */
test.each([
  [`{"a":{"${long}":1}}`, "yaml: did not find expected ',' or '}'"],
  [`a: 1\nb: {c:\n 1,\n "${long}": 2}`, "yaml: line 3: did not find expected ',' or '}'"],
  [`a: 1\nb:\n  ${long}: 2`, 'yaml: line 3: mapping values are not allowed in this context'],
  [`a: 1\nb:\n  "${long}": 2`, 'yaml: line 3: mapping values are not allowed in this context'],
])('a key of more than 1,024 characters ends the reading', (text, message) => {
  expect(() => readYaml(text)).toThrow(message);
});

test.each([`{"${'k'.repeat(1022)}": 1}`, `${'水'.repeat(1024)}: 1`, `? ${long}\n: 1`, `a: ${long}`])(
  'keys up to that, those with a question mark, and values are read',
  (text) => {
    expect(Object.values(readYaml(text) as object)).toHaveLength(1);
  },
);
