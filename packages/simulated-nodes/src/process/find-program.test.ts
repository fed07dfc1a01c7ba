import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { ContainerFiles } from './container-files.ts';
import { find } from './find-program.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const longName = `/long/${'t'.repeat(200)}`;

async function run(...words: string[]) {
  const files = new ContainerFiles();
  for (const directory of ['/scrub/a', '/scrub/b/c', '/long']) files.makeDirectories(directory, 0);
  for (const file of ['/scrub/x.txt', '/scrub/b/c/y.txt', '/scrub/.hidden'])
    files.write(file, new Uint8Array(1), 0);
  files.write(longName, new Uint8Array(1), 0);
  let out = '';
  const stdout = (bytes: Uint8Array) => {
    out += new TextDecoder().decode(bytes);
  };
  const code = await find({
    argv: ['find', ...words],
    files,
    place: { directory: '/' },
    stdout,
    stderr: stdout,
    clock: new ManualClock(),
  } as unknown as SimulatedProcess);
  return { code, lines: out.trimEnd().split('\n'), left: files.list('/scrub') };
}

test('what is found is told from the top down', async () => {
  const { code, lines } = await run('/scrub', '-name', '*.txt');
  expect(code).toBe(0);
  expect(lines).toEqual(['/scrub/b/c/y.txt', '/scrub/x.txt']);
});

test('depth and kind narrow it down', async () => {
  expect((await run('/scrub', '-mindepth', '1', '-maxdepth', '1', '-type', 'd')).lines).toEqual([
    '/scrub/a',
    '/scrub/b',
  ]);
});

test('a volume is wiped, and stays', async () => {
  expect(await run('/scrub', '-mindepth', '1', '-delete')).toEqual({ code: 0, lines: [''], left: [] });
});

test('what is not there is a failure', async () => {
  const { code, lines } = await run('/nowhere');
  expect(code).toBe(1);
  expect(lines[0]).toContain('/nowhere: No such file or directory');
});

test('a pattern of many stars takes time linear in the name', async () => {
  const { lines } = await run('/long', '-name', `${'*t'.repeat(30)}*x`);
  expect(lines).toEqual(['']);
});
