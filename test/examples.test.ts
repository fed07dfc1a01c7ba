/** Runs the tests of `examples/` in one process, as `node --test` does in a project where the packages are installed. */

import { execFile } from 'node:child_process';
import { globSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const directory = path.resolve(import.meta.dirname, '../examples');
/** On machines that may have other things to do. */
const msMax = 180_000;

/** Needs Helm: `HELM=FILE npm test -- test/examples`. */
const withHelm = 'chart-lookup';

test(
  'the tests of the examples pass',
  async () => {
    const files = globSync('*/*.test.mjs', { cwd: directory }).filter(
      (file) => process.env['HELM'] !== undefined || !file.startsWith(withHelm),
    );
    const args = ['--test', '--test-isolation=none', '--test-reporter=tap', ...files];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: directory });
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(files.length);
    expect(stdout).toMatch(/^# fail 0$/m);
  },
  msMax,
);

test('each example has one test and a row in the README', () => {
  const names = readdirSync(directory, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? [each.name] : [],
  );
  const readme = readFileSync(path.join(directory, 'README.md'), 'utf8');
  expect(names.length).toBeGreaterThanOrEqual(10);
  for (const name of names) {
    expect(globSync(`${name}/*.test.mjs`, { cwd: directory })).toHaveLength(1);
    expect(readme).toContain(`[${name}](${name}/`);
  }
});
