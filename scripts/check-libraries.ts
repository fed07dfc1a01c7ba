/**
 * Packs `@coxswain/api`, `@coxswain/client` and `@coxswain/controller` (`npm run build-libraries` makes them), lints them,
 * installs them in an empty directory as a user would, compiles what a user writes, and runs the operator of the README there. Throws, or ends with a
 * line that says that all is well.
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCluster } from 'coxswain/testing';
import { checkLinks, lintArchive } from './installed/lint-archive.ts';
import { otherRuntimes } from './installed/other-runtimes.ts';

const root = path.join(import.meta.dirname, '..');
const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-libraries-'));
const names = ['api', 'client', 'controller'];

const types = path.join(import.meta.dirname, 'installed/types');

try {
  const archives = names.map((name) => pack(path.join(root, 'dist/libraries', name)));
  for (const archive of archives) lintArchive(path.join(directory, archive));
  writeFileSync(path.join(directory, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...archives.map((file) => `./${file}`)]);
  const installed = readdirSync(path.join(directory, 'node_modules/@coxswain'));
  if (installed.sort().join() !== names.join()) throw new Error(`installed are ${installed.join()}`);
  for (const name of names) checkLinks(path.join(directory, 'node_modules/@coxswain', name));
  compile();
  requireThem();
  await runExamples();
  for (const script of [[process.execPath], ...otherRuntimes(directory).map((runtime) => runtime.script)])
    await runOperator(script);
  const kilobytes = archives.map((file) => Math.round(statSync(path.join(directory, file)).size / 1024));
  console.log(`the libraries (${kilobytes.join(', ')} KiB packed) install, compile and run elsewhere`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function pack(from: string): string {
  const output = execFileSync('npm', ['pack', from, '--silent', `--pack-destination=${directory}`], {
    cwd: root,
  });
  return output.toString().trim().split('\n').at(-1)!;
}

/** The examples of the READMEs as modules; what the types accept and refuse for bundlers, and as CommonJS. */
function compile(): void {
  const examples = { ...examplesOf('api'), ...examplesOf('client'), 'greeter.ts': greeter() };
  for (const [name, text] of Object.entries(examples)) writeFileSync(path.join(directory, name), text);
  compileFiles(Object.keys(examples), { module: 'nodenext', allowImportingTsExtensions: true });
  cpSync(types, directory, { recursive: true });
  compileFiles(['client.ts', 'controller.ts'], { module: 'esnext', moduleResolution: 'bundler' });
  for (const name of ['client', 'controller'])
    cpSync(path.join(types, `${name}.ts`), path.join(directory, `${name}.cts`));
  compileFiles(['client.cts', 'controller.cts'], { module: 'nodenext' });
}

function compileFiles(files: readonly string[], options: object): void {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    types: ['node'],
    resolveJsonModule: true,
    skipLibCheck: false,
    ...options,
  };
  writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  run(path.join(root, 'node_modules/.bin/tsc'), []);
}

/** Checks that `require` and `import` get the same library. */
function requireThem(): void {
  const script = `const { Informer } = require('@coxswain/client');
    require('@coxswain/client/node').connect.name;
    require('@coxswain/controller/node').probeServer.name;
    if (require('@coxswain/api/core/v1').Pod.kind !== 'Pod') process.exit(1);
    if (require('@coxswain/controller').createManager === undefined) process.exit(1);
    import('@coxswain/client').then((imported) => process.exit(imported.Informer === Informer ? 0 : 1));`;
  run(process.execPath, ['--eval', script, '--input-type=commonjs']);
}

function examplesOf(name: string): Record<string, string> {
  const readme = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(import [\s\S]*?)```/g)];
  return Object.fromEntries(examples.map(([, text], index) => [`${name}-${index}.ts`, text!]));
}

function greeter(): string {
  return readFileSync(path.join(root, 'packages/controller/examples/greeter.ts'), 'utf8');
}

async function runExamples(): Promise<void> {
  const { cluster, env } = await startServer();
  try {
    for (const file of Object.keys({ ...examplesOf('api'), ...examplesOf('client') }))
      await promisify(execFile)(process.execPath, [file], { cwd: directory, env });
  } finally {
    await cluster.stop();
  }
}

/** Starts an API server alone, in real time. */
async function startServer() {
  const cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0 });
  const kubeconfig = path.join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, await cluster.kubeconfig());
  return { cluster, env: { ...process.env, KUBECONFIG: kubeconfig } };
}

/** @param script the command that runs a script, to which the path is appended */
async function runOperator([program = '', ...args]: readonly string[]): Promise<void> {
  const { cluster, env } = await startServer();
  const operator = spawn(program, [...args, 'greeter.ts'], { cwd: directory, env, stdio: 'inherit' });
  const exit = once(operator, 'exit');
  try {
    const greeting = {
      apiVersion: 'example.com/v1',
      kind: 'Greeting',
      metadata: { name: 'a' },
      spec: { text: 'hi' },
    };
    await cluster.eventually(() => cluster.apply(greeting), { within: '30s' });
    const maps = cluster.client.resource('v1', 'configmaps').namespace('default');
    await cluster.eventually(() => maps.get('a'), { within: '30s' });
    operator.kill('SIGTERM');
    const [code] = await exit;
    if (code !== 0) throw new Error(`the operator ended with ${code}`);
  } finally {
    operator.kill('SIGKILL');
    await cluster.stop();
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] });
}
