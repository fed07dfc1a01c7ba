import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { valueInFile } from './env-file.ts';

let root: string;
let volume: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'env-file-'));
  volume = path.join(root, 'volume');
  mkdirSync(volume);
});
afterEach(() => rmSync(root, { recursive: true }));

const unusable = "couldn't parse env file";
const valueIn = (text: string, key = 'KEY'): Promise<string | undefined> => {
  writeFileSync(path.join(volume, 'file'), text);
  return valueInFile(volume, 'file', key);
};

test.each([
  ["KEY='value'", 'value'],
  ["\n# comment\n  KEY='a b # c' # comment\n", 'a b # c'],
  ["OTHER='it\nhas\nKEY=x'\nKEY='two\nlines'", 'two\nlines'],
  ["KEY='first'\nKEY='second'", 'first'],
  ["KEY= 'value'\n", undefined],
  ["OTHER= x\nKEY='value'", 'value'],
  ["OTHER='value'", undefined],
  ['', undefined],
])('%j contains the value %j', async (text, value) => {
  expect(await valueIn(text)).toBe(value);
});

test.each([["KEY='open"], ['KEY=value'], ["KEY ='value'"], ["='value'"], ['KEY'], ["KEY='a'b"]])(
  '%j is refused',
  async (text) => {
    await expect(valueIn(text)).rejects.toThrow(unusable);
  },
);

test('a long blank is passed once', async () => {
  await expect(valueIn(`${' '.repeat(2 ** 20 - 1)}K`)).rejects.toThrow(unusable);
});

test('nothing but a regular file of the volume is read, and no more than fits', async () => {
  writeFileSync(path.join(root, 'secret'), "KEY='of the host'\n");
  writeFileSync(path.join(volume, 'target'), "KEY='linked'\n");
  writeFileSync(path.join(volume, 'huge'), '');
  truncateSync(path.join(volume, 'huge'), 2 ** 40);
  symlinkSync(path.join(root, 'secret'), path.join(volume, 'absolute'));
  symlinkSync('../secret', path.join(volume, 'relative'));
  symlinkSync('..', path.join(volume, 'directory'));
  symlinkSync('/proc/self/environ', path.join(volume, 'process'));
  symlinkSync('target', path.join(volume, 'inside'));
  // Who opens one waits for a writer.
  execFileSync('mkfifo', [path.join(volume, 'pipe')]);
  expect(await valueInFile(volume, 'inside', 'KEY')).toBe('linked');
  for (const file of [
    'absolute',
    'relative',
    'directory/secret',
    '../secret',
    'process',
    'huge',
    'pipe',
    'none',
  ])
    await expect(valueInFile(volume, file, 'KEY'), file).rejects.toThrow(unusable);
});
