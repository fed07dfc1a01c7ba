import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from './make-directory.ts';

function inNewDirectory(): (name: string) => string {
  const directory = mkdtempSync(path.join(tmpdir(), 'make-directory-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return (name) => path.resolve(directory, name);
}

test('makes the directories above it, too, and again nothing', async () => {
  const absolute = inNewDirectory();

  await makeDirectory('a/b/c', absolute);
  await makeDirectory('a/b/c', absolute);

  expect(statSync(absolute('a/b/c')).isDirectory()).toBe(true);
});

test('names the first part that cannot be made', async () => {
  const absolute = inNewDirectory();
  writeFileSync(absolute('a'), '');

  await expect(makeDirectory('a/b', absolute)).rejects.toThrow('mkdir a: not a directory');
});

test.runIf(process.platform === 'linux')('ends where the system lets nothing be made', async () => {
  await expect(makeDirectory('/proc/x/y', (name) => name)).rejects.toThrow(
    'mkdir /proc/x: no such file or directory',
  );
});
