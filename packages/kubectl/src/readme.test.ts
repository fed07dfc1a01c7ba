import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runKubectl } from './index.ts';
import { FakeServer } from './testing/fake-server.ts';
import { recordedIo } from './testing/recorded-io.ts';

test('the example of the README prints the documented output', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const source = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const expected = /```text\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const body = source.replace(/^import .*\n/gm, '');
  const run = new Function(
    'runKubectl',
    'recordedIo',
    'FakeServer',
    `return (async () => { ${body}; return io.text; })();`,
  );
  const written = (await run(runKubectl, recordedIo, FakeServer)) as { out: string; err: string };
  expect(written).toEqual({ out: expected, err: '' });
});
