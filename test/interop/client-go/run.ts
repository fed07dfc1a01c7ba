/**
 * `npm run client-go`: builds `main.go` with the client-go of several years and runs each beside `coxswain up` as Kubernetes of
 * that year, from a kubeconfig, over HTTPS. Writes `results.json`, of which the page about compatibility is made. Needs Go and
 * its module proxy. The exit status is 1 when something failed.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** client-go 0.N is of Kubernetes 1.N. */
const versions = ['0.33.4', '0.34.9', '0.35.0', '0.36.3'];

const root = path.join(import.meta.dirname, '../../..');
const directory = mkdtempSync(path.join(tmpdir(), 'client-go-'));
const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' };

try {
  const results = [];
  for (const version of versions) {
    const kubernetes = version.replace(/^0\.(\d+).*/, '1.$1');
    console.log(`== client-go ${version} and Kubernetes ${kubernetes}`);
    const lines = await runBeside(kubernetes, build(version));
    const counts = {
      passed: lines.filter((line) => line.startsWith('passed ')).length,
      failed: lines.filter((line) => line.startsWith('failed ')).length,
    };
    results.push({ version, kubernetes, counts });
    if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
  }
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    path.join(import.meta.dirname, 'results.json'),
    `${JSON.stringify({ date, commit, results }, undefined, 2)}\n`,
  );
} finally {
  rmSync(directory, { recursive: true });
}

/** @returns the path of the program */
function build(version: string): string {
  const module = path.join(directory, version);
  const program = path.join(module, 'client-go');
  mkdirSync(module);
  cpSync(path.join(import.meta.dirname, 'main.go'), path.join(module, 'main.go'));
  writeFileSync(path.join(module, 'go.mod'), 'module client-go.example\n\ngo 1.24.0\n');
  const go = (...args: readonly string[]) =>
    execFileSync('go', args, { cwd: module, env, stdio: ['ignore', 'inherit', 'pipe'] });
  go('get', ...['client-go', 'api', 'apimachinery'].map((name) => `k8s.io/${name}@v${version}`));
  go('mod', 'tidy');
  go('build', '-ldflags=-s -w', '-o', program, '.');
  return program;
}

/** @returns what the program printed */
async function runBeside(kubernetes: string, program: string): Promise<readonly string[]> {
  const data = path.join(directory, kubernetes);
  const kubeconfig = path.join(data, 'kubeconfig');
  const flags = ['--in-memory', '--port=0', '--ui=false', `--data-dir=${data}`];
  const cluster = spawn(
    process.execPath,
    [
      path.join(root, 'packages/coxswain/bin/coxswain.mjs'),
      'up',
      ...flags,
      `--kubernetes-version=${kubernetes}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(cluster, 'exit');
  try {
    await ready(cluster.stdout);
    const { stdout } = spawnSync(program, [], {
      env: { ...env, KUBECONFIG: kubeconfig },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    process.stdout.write(stdout);
    return stdout.split('\n');
  } finally {
    cluster.kill('SIGTERM');
    await ended;
  }
}

/** @throws Error when the cluster ends before */
async function ready(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface({ input: output })) {
    if (!line.includes('Ready in ')) continue;
    output.resume();
    return;
  }
  throw new Error('the cluster ended before it was ready');
}
