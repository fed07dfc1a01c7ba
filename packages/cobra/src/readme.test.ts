import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as cobra from './index.ts';

test('the example of the README runs and prints what it says', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const source = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const expected = /```text\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const body = source.replace(/^import .*\n/gm, '').replace(/^process\.exitCode[\s\S]*/m, '');
  const make = new Function(
    'cobra',
    `const { command, bool, int, exactArgs } = cobra; ${body}; return root;`,
  );
  const io = cobra.recordedIo();
  await cobra.runProgram(
    make(cobra) as cobra.Command<undefined>,
    ['times', '3', '--by=4', '--loud'],
    io,
    undefined,
  );
  expect(`$ calc times 3 --by=4 --loud\n${io.text.out}`).toBe(expected);
});
