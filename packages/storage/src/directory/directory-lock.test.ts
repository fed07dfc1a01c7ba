import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockDatabase, lockDirectory } from './directory-lock.ts';
import { lockFile } from './file-lock.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'directory-lock-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe.each([
  ['SQLite', lockDatabase],
  ['the kernel', lockFile],
])('with a lock of %s', (name, lock) => {
  const file = () => path.join(directory, name);

  test('a second holder does not get it until the first releases it', () => {
    const first = lock(file())!;
    expect(lock(file())).toBeUndefined();
    first.release();
    const second = lock(file());
    expect(second).toBeDefined();
    second?.release();
  });

  test('a process that was killed holds nothing', () => {
    const place = JSON.stringify(file());
    const module = name === 'SQLite' ? 'directory-lock.ts' : 'file-lock.ts';
    const script = `import { ${lock.name} } from ${JSON.stringify(path.join(import.meta.dirname, module))};
      console.log(${lock.name}(${place}) !== undefined);
      process.kill(process.pid, 'SIGKILL');`;
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
    expect([String(stdout).trim(), signal]).toEqual(['true', 'SIGKILL']);
    const after = lock(file());
    expect(after).toBeDefined();
    after?.release();
  });
});

test('a directory in use is reported in one line', () => {
  const held = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(
    `data directory ${directory} is in use by process ${process.pid}`,
  );
  held.release();
  expect(() => lockDirectory(path.join(directory, 'absent'))).toThrow('cannot write to data directory');
});
