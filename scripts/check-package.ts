/**
 * Packs the npm package, installs it in an empty folder as a user would, and uses it there: nothing of the
 * repository may be needed. Ends with a line that says so, or throws.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startUp } from '../test/story/running-cluster.ts';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'coxswain-package-'));

try {
  run(root, 'npm', ['pack', './dist/npm', '--silent', `--pack-destination=${folder}`]);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const packedBytes = statSync(path.join(folder, archive)).size;
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  run(folder, 'npm', ['install', '--no-audit', '--no-fund', '--silent', `./${archive}`]);

  expectMatch(run(folder, 'npx', ['coxswain', 'version']), /^coxswain \d+\.\d+\.\d+ \(Kubernetes v1\.36/);
  expectMatch(run(folder, 'npx', ['coxswain', 'kubectl', 'version', '--client']), /Client Version: v1\.36/);
  const assets = run(folder, 'npx', ['coxswain', 'assets']).trim();
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'])
    expectMatch(run(folder, path.join(assets, name), ['--help']), /\S/);
  await useCluster();
  console.log(`the package (${Math.round(packedBytes / 1024)} KiB packed) installs and runs elsewhere`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function useCluster(): Promise<void> {
  const bin = path.join(folder, 'node_modules/.bin/coxswain');
  const cluster = await startUp(['--in-memory'], [bin]);
  const list = ['kubectl', 'get', 'namespaces', '-o', 'name', '--kubeconfig', cluster.kubeconfig];
  let exit: number | null;
  try {
    expectMatch(run(folder, bin, list), /namespace\/default/);
  } finally {
    exit = await cluster.stop();
  }
  if (exit !== 0) throw new Error(`stopping ended with ${exit}:\n${cluster.output()}`);
}

function run(cwd: string, program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function expectMatch(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`expected ${String(pattern)} in:\n${text}`);
}
