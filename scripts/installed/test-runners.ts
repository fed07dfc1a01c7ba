/**
 * Checks tests written as users do, under the runners that they use, as modules and as CommonJS, on old and new
 * versions of Node.
 */

import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Runtime } from './other-runtimes.ts';
import { expectMatch, run } from './run.ts';

const pod = `{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } }`;
const running = `'pod/a', { status: { phase: 'Running' } }`;

const body = `async () => {
  const cluster = await createCluster({ nodes: 1 });
  await cluster.apply(${pod});
  await assertEventuallyHas(cluster, ${running});
  await cluster.stop();
}`;
const withMatcher = `async () => {
  const cluster = await createCluster();
  await cluster.apply(${pod});
  await expect(cluster).toEventuallyHave(${running});
  await cluster.stop();
}`;
const imported = "import { assertEventuallyHas, createCluster } from 'coxswain/testing';\n";
const required = "const { assertEventuallyHas, createCluster } = require('coxswain/testing');\n";

const files = {
  'node.test.mjs': `import { test } from 'node:test';\n${imported}test('a pod runs', ${body});\n`,
  'node.test.cjs': `const { test } = require('node:test');\n${required}test('a pod runs', ${body});\n`,
  'disk.cjs': `const { startCluster } = require('coxswain');
startCluster({ nodes: 0, storageDirectory: 'data' }).then((cluster) => cluster.stop()).then(() => console.log('stopped'));\n`,
  'mocha.mjs': `${imported}it('a pod runs', ${body});\n`,
  'mocha.cjs': `${required}it('a pod runs', ${body});\n`,
  'jest.spec.cjs': `require('coxswain/testing/jest');\n${required}test('a pod runs', ${withMatcher});\n`,
  'vitest.spec.mjs': `import 'coxswain/testing/vitest';
import { expect, test } from 'vitest';
import { createCluster } from 'coxswain/testing';
test('a pod runs', ${withMatcher});\n`,
};

const strict = { NODE_OPTIONS: '--throw-deprecation', NO_COLOR: '1' };

/** @param directory where the package is installed @param nodes the programs to try, oldest first */
export function checkTestRunners(directory: string, nodes: readonly string[]): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  const runners = ['jest@30.5.2', 'mocha@12.0.3', 'vitest@5.1.1'];
  run(directory, 'npm', ['install', '--no-save', '--no-audit', '--no-fund', '--silent', ...runners]);
  const on = (node: string, ...args: string[]) => run(directory, node, args, strict);
  for (const node of nodes) {
    expectMatch(on(node, '--test', 'node.test.mjs', 'node.test.cjs'), /pass 2\b/);
    expectMatch(on(node, 'disk.cjs'), /^stopped$/m);
  }
  // These runners require a newer Node.
  const newest = nodes.at(-1)!;
  expectMatch(
    on(newest, 'node_modules/mocha/bin/mocha.js', '--timeout=60000', 'mocha.mjs', 'mocha.cjs'),
    /2 passing/,
  );
  on(newest, 'node_modules/jest/bin/jest.js', '--testTimeout=60000', '--testMatch', '**/jest.spec.cjs');
  expectMatch(
    on(newest, 'node_modules/vitest/vitest.mjs', 'run', '--testTimeout=60000', 'vitest.spec.mjs'),
    /1 passed/,
  );
}

/** The test of node:test under a runtime's own runner, and a cluster on disk. @param directory as for {@link checkTestRunners}, before */
export function checkRuntime(directory: string, { script, test }: Runtime): void {
  const started = ([program = '', ...args]: readonly string[], file: string): string => {
    // Runners write their results to standard output or standard error.
    return run(directory, 'bash', ['-c', '"$@" 2>&1', '--', program, ...args, file], { NO_COLOR: '1' });
  };
  expectMatch(started(test, './node.test.mjs'), /1 pass/);
  expectMatch(started(script, './disk.cjs'), /^stopped$/m);
}

/** Another version of Node, from the registry; undefined if there is none for this platform. */
export function olderNode(directory: string, version: string): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const file = path.join(directory, 'node_modules', name, 'bin/node');
  try {
    run(directory, 'npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--silent',
      `${name}@${version}`,
    ]);
  } catch {
    return undefined;
  }
  return existsSync(file) ? file : undefined;
}
