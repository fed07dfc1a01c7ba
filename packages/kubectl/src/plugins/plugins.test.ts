import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'kubectl-plugins-'));
for (const name of ['kubectl-hello', 'kubectl-hello-world', 'kubectl-get', 'kubectl_complete-hello']) {
  writeFileSync(path.join(directory, name), '');
  chmodSync(path.join(directory, name), 0o755);
}
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function kubectl(...args: string[]) {
  const calls: string[][] = [];
  const io = recordedIo({
    env: { PATH: directory },
    async spawn(program, words, { out } = {}) {
      calls.push([path.basename(program), ...words]);
      out?.write('one\ntwo\n:4\n');
      return 0;
    },
  });
  const code = await runKubectl(args, io);
  return { code, calls, ...io.text };
}

test('the help lists plugins that are no commands', async () => {
  const { out } = await kubectl('--help');
  expect(out).toContain('  hello         The command hello is a plugin installed by the user\n');
  expect(out).not.toContain('The command get');
});

test('the name of a plugin is completed', async () => {
  const { out } = await kubectl('__complete', 'hel');
  expect(out).toContain('hello\tThe command hello is a plugin installed by the user\n');
});

test('behind its name come plugins below it, and what its own program proposes', async () => {
  const { out, calls } = await kubectl('__complete', 'hello', 'a', '');
  expect(calls).toEqual([['kubectl_complete-hello', 'a', '']]);
  expect(out).toBe('one\ntwo\n:4\n');
  expect((await kubectl('__complete', 'hello', '')).out).toMatch(/^world\t.*\none\ntwo\n:4\n$/);
});

test('an unknown option consumes the next word; after that there may be a plugin, which is not allowed there', async () => {
  expect(await kubectl('--wrong', 'hello')).toMatchObject({
    code: 1,
    err: expect.stringContaining('unknown flag'),
  });
  expect(await kubectl('--wrong=x', 'hello')).toMatchObject({
    code: 1,
    calls: [],
    err: 'Error: flags cannot be placed before plugin name: --wrong=x\n',
  });
  expect((await kubectl('hello', '--wrong', 'x')).calls).toEqual([['kubectl-hello', '--wrong', 'x']]);
});
