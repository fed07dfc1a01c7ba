import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runCoxswain } from './root.ts';

test.each([
  ['policy', 'test', '/nowhere/file'],
  ['crd', 'generate', '/nowhere/file.ts'],
  ['client', 'generate', '/nowhere/file'],
  ['rbac', 'minimal', '--from-audit=/nowhere/file'],
  ['trace', '--from=/nowhere/file'],
  ['ui', '/nowhere/file'],
])('%s %s says in words that %s is missing', async (...args) => {
  let said = '';
  const status = await runCoxswain(args, {
    out: { write: () => true },
    err: { write: (text: string) => ((said += text), true) },
    input: Readable.from([]),
    env: {},
    signal: new AbortController().signal,
  } as unknown as Parameters<typeof runCoxswain>[1]);
  expect(status).not.toBe(0);
  expect(said).toMatch(/^coxswain: .*\/nowhere\/file.*: no such file or directory\n$/);
});
