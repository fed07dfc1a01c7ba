import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';

/** In a project, `npx coxswain`. */
const manifest = createRequire(import.meta.url).resolve('coxswain/package.json');
const coxswain = path.join(path.dirname(manifest), 'bin/coxswain.mjs');

test('the policy does what its cases say', () => {
  const args = [coxswain, 'policy', 'test', 'replicas.test.yaml', '-o', 'junit'];
  const report = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  assert.match(report, /<testsuites name="coxswain policy test" tests="2" failures="0"/);
});
