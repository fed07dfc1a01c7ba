import { expect, test } from 'vitest';
import { tokenFile } from './token-file.ts';

const read = (csv: string, logged: string[] = []) =>
  tokenFile(csv, { path: 'tokens.csv', log: (line) => logged.push(line) });

test('groups are in one quoted field, and quotes are doubled', async () => {
  const tokens = read('t1,jane,u1,"dev,ops"\r\n\nt2,"say ""hi""",u2\n');

  expect(await tokens.authenticateToken('t1', [])).toMatchObject({
    user: { name: 'jane', groups: ['dev', 'ops'] },
  });
  expect(await tokens.authenticateToken('t2', [])).toMatchObject({ user: { name: 'say "hi"', groups: [] } });
  expect(await tokens.authenticateToken('t3', [])).toEqual({ kind: 'absent' });
});

test('the last entry of a duplicate token counts; an empty token is invalid', async () => {
  const logged: string[] = [];
  const tokens = read('t,a,1\n,b,2\nt,c,3\n', logged);

  expect(await tokens.authenticateToken('t', [])).toMatchObject({ user: { name: 'c' } });
  expect(await tokens.authenticateToken('', [])).toEqual({ kind: 'absent' });
  expect(logged).toEqual([
    "empty token has been found in token file 'tokens.csv', record number '2'",
    "duplicate token has been found in token file 'tokens.csv', record number '3'",
  ]);
});

test.each([
  ['t,jane', "token file 'tokens.csv' must have at least 3 columns (token, user name, user uid), found 2"],
  ['t,ja"ne,1', 'parse error on line 1, column 5: bare " in non-quoted field'],
  [
    't,"jane,1\nx',
    'record on line 1; parse error on line 2, column 2: extraneous or missing " in quoted-field',
  ],
])('%j is refused', (csv, message) => {
  expect(() => read(csv)).toThrow(new Error(message));
});
