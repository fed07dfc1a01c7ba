/** Runs the examples of README.md as a user would, each in its own file under node:test. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const here = import.meta.dirname;
const readme = readFileSync(path.join(here, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)]
  .map((match) => match[1]!)
  .filter((text) => text.includes("from 'node:test'"));

let directory: string;

beforeAll(() => {
  // Below the package, so that `coxswain/testing` resolves.
  const build = path.join(here, '../../../../node_modules/.cache');
  mkdirSync(build, { recursive: true });
  directory = mkdtempSync(path.join(build, 'coxswain-readme-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the examples of the README', () => {
  test('are there', () => expect(examples.length).toBeGreaterThanOrEqual(3));

  for (const [index, text] of examples.entries()) {
    test(`number ${index + 1} passes`, async () => {
      const file = path.join(directory, `example-${index}.test.mjs`);
      writeFileSync(file, text);
      const { stdout } = await run(process.execPath, ['--test-reporter=tap', file]);
      expect(stdout).toMatch(/^# pass 1$/m);
      expect(stdout).toMatch(/^# fail 0$/m);
    }, 60_000);
  }
});
