/** Keeps the tree tidy: what may not stand in a source file, and how long one may get. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

const tracked = execFileSync('git', ['ls-files', 'packages', 'scripts', 'bench'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|mjs)$/.test(file));

/** Files whose length is the length of what they list. */
const longTables = /(bootstrap|flags|messages|\.test\.ts$)/;
const maxLines = 800;

const nameless = /\/(utils?|common|helpers|misc)\.ts$/;

const offenders = (matches: (text: string, file: string) => boolean): string[] =>
  tracked.filter((file) => matches(readFileSync(path.join(root, file), 'utf8'), file));

test('no file is called utils, common, helpers or misc', () => {
  expect(tracked.filter((file) => nameless.test(file))).toEqual([]);
});

test('no source file is longer than a reader can hold', () => {
  expect(offenders((text, file) => !longTables.test(file) && text.split('\n').length > maxLines)).toEqual([]);
});

test('no test is skipped, focused or left to do', () => {
  expect(
    offenders(
      (text, file) => file.endsWith('.test.ts') && /\b(?:test|it|describe)\.(?:only|todo)\b/.test(text),
    ),
  ).toEqual([]);
});

/** The published test library's own modules, for test runners with a global object of their own. */
const compiler = 'scripts/packs/library.ts';

test('nothing evaluates text as code', () => {
  expect(
    offenders(
      (text, file) => !file.endsWith('.test.ts') && file !== compiler && /\beval\(|new Function\(/.test(text),
    ),
  ).toEqual([]);
});

/** They lie beside or below the package that has `messageOf`. */
const belowMessageOf = /^packages\/(schema|cobra)\//;

test('what a failure says is asked of messageOf, since anything can be thrown', () => {
  expect(
    offenders(
      (text, file) =>
        !belowMessageOf.test(file) &&
        !file.endsWith('.test.ts') &&
        /as Error\)\.message\b|const \{ message \} = \w+ as Error\b|instanceof Error\s*\? \w+\.message\s*: String\(/.test(
          text,
        ),
    ),
  ).toEqual([]);
});
