import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultDataDirectory, openDataDirectory, temporaryDataDirectory } from './data-directory.ts';

let directory: string;
beforeAll(() => void (directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-data-'))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('a data directory is made with all its parents, for its owner alone', () => {
  const opened = openDataDirectory(path.join(directory, 'a/b'));

  expect(statSync(opened.root).mode & 0o777).toBe(0o700);
  expect(opened.storage).toBe(path.join(directory, 'a/b/storage'));
});

test('a file, and a place that denies everything, are refused with one line', () => {
  const file = path.join(directory, 'file');
  writeFileSync(file, '');

  expect(() => openDataDirectory(file)).toThrow(
    `cannot use ${file} as the data directory: not a directory (--data-dir selects another)`,
  );
  expect(() => openDataDirectory(path.join(file, 'below'))).toThrow(
    /as the data directory: not a directory \(--data-dir selects another\)$/,
  );
});

test('files of an in-memory cluster are removed with it', () => {
  const temporary = temporaryDataDirectory();
  temporary.close();

  expect(() => statSync(temporary.root)).toThrow('ENOENT');
});

test('the default place follows the XDG rules', () => {
  expect(defaultDataDirectory({ XDG_DATA_HOME: '/x', HOME: '/h' })).toBe('/x/coxswain');
  expect(defaultDataDirectory({ HOME: '/h' })).toBe('/h/.local/share/coxswain');
});
