import { expect, test } from 'vitest';
import { toIndentedJson } from './json.ts';
import { toKyaml } from './kyaml.ts';

/** The output of kubectl 1.36.3 with `-o kyaml`. */
test.each([
  ['plain keys', { '1a': 1, _a: 1, 'a.b/c-d': 1, 水: 1 }, ['1a: 1', '_a: 1', 'a.b/c-d: 1', '水: 1']],
  [
    'keys that may be numbers',
    { '0x1p-2': 1, '1_2': 1, '1e3': 1, Inf: 1 },
    ['"0x1p-2": 1', '"1_2": 1', '"1e3": 1', '"Inf": 1'],
  ],
  [
    'keys that may be something else',
    { '1:30': 1, F: 1, nULL: 1, yEs: 1 },
    ['"1:30": 1', '"F": 1', '"nULL": 1', '"yEs": 1'],
  ],
  ['keys that end in punctuation', { '-a': 1, 'a-': 1 }, ['"-a": 1', '"a-": 1']],
  ['keys with breaks', { 'a\tb': 1, 'a\nb': 1 }, ['"a\\tb": 1', '"a\\nb": 1']],
  [
    'keys sorted as bytes',
    { 9: 1, 10: 1, '-x': 1, é: 1, '\u2028': 1 },
    ['"-x": 1', '"10": 1', '"9": 1', 'é: 1', '"\\L": 1'],
  ],
  [
    'what does not print',
    { a: '\0\u0007\b\t\v\f\r\u001b\u0001', b: '\u00a0\u2029\u200b' },
    ['a: "\\0\\a\\b\t\\v\\f\\r\\e\\x01"', 'b: "\\_\\P\\u200b"'],
  ],
  [
    'numbers',
    { a: 1.5, b: 1e21, c: 1e-7, d: 123456789012, e: null },
    ['a: 1.5', 'b: 1e+21', 'c: 1e-7', 'd: 123456789012', 'e: null'],
  ],
  [
    'lists of objects and lists',
    { a: [{}, [], [1]], b: [{}] },
    ['a: [{}, [], [', '    1,', '  ]]', 'b: [{}]'],
  ],
  ['lists with anything else', { a: [1, {}] }, ['a: [', '    1,', '    {},', '  ]']],
  [
    'texts of several lines',
    { a: 'one\n two\n\n\tthree', b: '\n' },
    [
      'a: "\\',
      '     one\\n\\',
      '    \\ two\\n\\',
      '     \\n\\',
      '    \\\tthree\\',
      '    "',
      'b: "\\',
      '     \\n\\',
      '    "',
    ],
  ],
] as const)('%s', (_what, value, lines) => {
  const text = lines.map((line) => (/^[^ ]/.test(line) ? `  ${line}` : line)).join('\n');
  const commas = toKyaml(value).replace(/,$/gm, '');
  expect(commas).toBe(`---\n{\n${text.replace(/,$/gm, '')}\n}\n`);
});

test('maps with numeric keys are sorted among declared fields', () => {
  const object = { kind: 'ConfigMap', data: { 9: 'a', 10: 'b', x: 'c' } };
  const json = toIndentedJson(object, 'declared');
  expect([...json.matchAll(/"(\w+)":/g)].map(([, key]) => key)).toEqual(['kind', 'data', '10', '9', 'x']);
  const kyaml = toKyaml(object, 'declared');
  expect([...kyaml.matchAll(/(\w+)"?:/g)].map(([, key]) => key)).toEqual(['kind', 'data', '10', '9', 'x']);
});
