/** Tokens that no list gave out. */
import { ask, type DifferentialCase } from './case.ts';

const collection = '/api/v1/namespaces/$ns/configmaps';
const versions = [
  '0',
  '-1',
  '-2',
  '1.5',
  '1e3',
  '1.0',
  '"5"',
  'null',
  'true',
  '{}',
  '[]',
  '9223372036854775808',
  '18446744073709551616',
  '-9223372036854775809',
  '01',
  '+1',
  '1.7976931348623157e309',
  'NaN',
];
const starts = [
  '"a\\u0000"',
  '""',
  '"/"',
  '"../x"',
  '"a/b"',
  '"a/../b"',
  '"/a"',
  '"a/."',
  '5',
  'null',
  '{}',
  '"\\u0000"',
  '"a//b"',
  '"a/"',
];
const whole = { v: '"meta.k8s.io/v1"', rv: '-1', start: '"a"' };
const textOf = (members: Readonly<Record<string, string | undefined>>): string =>
  `{${Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
const texts = [
  ...versions.map((rv) => textOf({ ...whole, rv })),
  ...starts.map((start) => textOf({ ...whole, start })),
  ...['"meta.k8s.io/v2"', '""', '5', 'null', '"v1"'].map((v) => textOf({ ...whole, v })),
  textOf({ ...whole, v: undefined }),
  textOf({ ...whole, rv: undefined }),
  textOf({ ...whole, start: undefined }),
  textOf({ ...whole, more: '1' }),
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{}',
  '{"v":"meta.k8s.io/v1","rv":5,"rv":1.5,"start":"a"}',
  `${textOf(whole)} `,
  `${textOf(whole)}x`,
];
const tokens = [
  ...texts.map((text) => Buffer.from(text).toString('base64url')),
  'x',
  '!!!!',
  'e30',
  'e30=',
  'e30==',
  'eyJ2Ijoi',
  '%00',
  'a b',
  'e3\n0',
  'e-_0',
  'e+/0',
  Buffer.from(textOf(whole)).toString('base64'),
];

export const cases: readonly DifferentialCase[] = [
  {
    name: 'tokens',
    steps: tokens.flatMap((token) => {
      const text = encodeURIComponent(token);
      return [
        ask(`GET ${collection}?continue=${text}`),
        ask(`GET ${collection}?limit=1&continue=${text}`),
        ask(`GET ${collection}?limit=1&resourceVersion=0&continue=${text}`),
        ask(`GET ${collection}?resourceVersion=7&continue=${text}`),
      ];
    }),
  },
];
