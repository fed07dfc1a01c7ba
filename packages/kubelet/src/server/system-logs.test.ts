import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ApiRequest } from '@coxswain/apiserver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemLogs } from './system-logs.ts';

let root: string;
beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'system-logs-')), 'log');
  mkdirSync(path.join(root, 'pods'), { recursive: true });
  writeFileSync(path.join(root, 'messages & more'), 'hello\n');
  writeFileSync(path.join(root, '..', 'secret'), 'no log\n');
});
afterEach(() => rmSync(path.dirname(root), { recursive: true }));

const ask = (place: string) => systemLogs({ info: { path: place } } as ApiRequest, root);

async function textOf({ body }: Awaited<ReturnType<typeof ask>>): Promise<string> {
  if (body.kind === 'bytes') return Buffer.from(body.bytes).toString();
  if (body.kind !== 'stream') throw new Error(body.kind);
  const { open } = body;
  return new Promise((resolve) => {
    let text = '';
    open({
      write: (chunk: Uint8Array) => (text += Buffer.from(chunk).toString()),
      drained: async () => undefined,
      onClose: () => undefined,
      end: () => resolve(text),
    } as never);
  });
}

test('a directory of logs is listed, a file among them is sent', async () => {
  const directory = await ask('/logs/');
  expect(directory.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(await textOf(directory)).toContain(
    '<a href="messages%20&%20more">messages &amp; more</a>\n<a href="pods/">pods/</a>',
  );
  expect(await textOf(await ask('/logs/messages & more'))).toBe('hello\n');
});

test('a directory without its slash is somewhere else, so that names in it lead on', async () => {
  expect(await ask('/logs/pods')).toMatchObject({ status: 301, headers: { location: 'pods/' } });
});

test.each(['/logs/none', '/logs/../secret', '/logs/%2e%2e/secret', '/logs/pods/../../secret'])(
  'there is nothing at %s',
  async (place) => {
    expect((await ask(place)).status).toBe(404);
  },
);
