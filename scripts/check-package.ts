/**
 * Packs the npm package, installs it in an empty folder as a user would, and uses it there: nothing of the
 * repository may be needed. Ends with a line that says so, or throws.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'coxswain-package-'));
const startTimeoutMs = 60_000;

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
  const cluster = spawn(bin, ['up', '--in-memory', '--port=0'], { cwd: folder });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), startTimeoutMs);
    const look = (text: Buffer) => {
      output += text.toString();
      if (!output.includes('Ready in')) return;
      clearTimeout(timer);
      resolve();
    };
    cluster.stdout.on('data', look);
    cluster.stderr.on('data', look);
  });
  const exited = new Promise<number | null>((resolve) => cluster.once('close', resolve));
  try {
    await Promise.race([
      ready,
      exited.then((exit) => Promise.reject(new Error(`ended with ${exit}:\n${output}`))),
    ]);
    const kubeconfig = /kubeconfig\s+(\S+)/.exec(output)?.[1] ?? '';
    expectMatch(
      run(folder, bin, ['kubectl', 'get', 'namespaces', '-o', 'name', '--kubeconfig', kubeconfig]),
      /namespace\/default/,
    );
  } finally {
    cluster.kill('SIGINT');
  }
  const exit = await exited;
  if (exit !== 0) throw new Error(`stopping ended with ${exit}:\n${output}`);
}

function run(cwd: string, program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function expectMatch(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`expected ${String(pattern)} in:\n${text}`);
}
