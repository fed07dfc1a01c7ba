/**
 * Packs `@coxswain/client` and `@coxswain/controller` (`npm run build-libraries` makes them), installs them in an empty
 * folder as a user would, compiles what a user writes, and runs the operator of the README there. Throws, or ends with a
 * line that says that all is well.
 */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCluster } from 'coxswain/testing';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'coxswain-libraries-'));
const names = ['client', 'controller'];

const userTypes = `import { Informer } from '@coxswain/client';
import type { Draft, KubeClient } from '@coxswain/client';
import { Deployment } from '@coxswain/client/api/apps/v1';
import { Pod } from '@coxswain/client/api/core/v1';
import { controller, setControllerReference } from '@coxswain/controller';

export const web: Draft<Deployment> = { spec: { replicas: 2 } };
// @ts-expect-error a text is no number
export const wrong: Draft<Deployment> = { spec: { replicas: 'two' } };

export async function phases(client: KubeClient): Promise<(string | undefined)[]> {
  const pods = await client.of(Pod).namespace('default').list();
  // @ts-expect-error there is no such member
  pods.items[0]?.spec?.nodename;
  return pods.items.map((pod) => pod.status?.phase);
}
export const informerOf = (client: KubeClient) => new Informer({ resource: client.of(Pod) });
export const owned = (deployment: Deployment) =>
  setControllerReference(Deployment, deployment, { metadata: { name: 'x', namespace: 'default' } });
export const scaling = controller({
  name: 'scaling',
  for: Deployment,
  owns: [Pod],
  reconcile({ namespace, name }, { cache }) {
    const replicas = cache.of(Deployment).get(name, namespace)?.spec?.replicas;
    return replicas === 0 ? { requeueAfterMs: 1000 } : undefined;
  },
});
`;

try {
  const archives = names.map((name) => pack(path.join(root, 'dist/libraries', name)));
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...archives.map((file) => `./${file}`)]);
  const installed = readdirSync(path.join(folder, 'node_modules/@coxswain'));
  if (installed.sort().join() !== names.join()) throw new Error(`installed are ${installed.join()}`);
  compile();
  await runOperator();
  const kilobytes = archives.map((file) => Math.round(statSync(path.join(folder, file)).size / 1024));
  console.log(`the libraries (${kilobytes.join(' and ')} KiB packed) install, compile and run elsewhere`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(from: string): string {
  const output = execFileSync('npm', ['pack', from, '--silent', `--pack-destination=${folder}`], {
    cwd: root,
  });
  return output.toString().trim().split('\n').at(-1)!;
}

/** The examples of the READMEs, and what the types have to refuse. */
function compile(): void {
  const files = { 'types.ts': userTypes, ...examplesOf('client'), 'greeter.ts': greeter() };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    types: ['node'],
    allowImportingTsExtensions: true,
    skipLibCheck: false,
  };
  const project = { compilerOptions, files: Object.keys(files) };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  run(path.join(root, 'node_modules/.bin/tsc'), []);
}

function examplesOf(name: string): Record<string, string> {
  const readme = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(import [\s\S]*?)```/g)];
  return Object.fromEntries(examples.map(([, text], index) => [`${name}-${index}.ts`, text!]));
}

function greeter(): string {
  return readFileSync(path.join(root, 'packages/controller/examples/greeter.ts'), 'utf8');
}

async function runOperator(): Promise<void> {
  const cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0 });
  const kubeconfig = path.join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, await cluster.kubeconfig());
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  for (const file of Object.keys(examplesOf('client')))
    await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
  cpSync(path.join(root, 'packages/controller/examples/greeter.ts'), path.join(folder, 'greeter.ts'));
  const operator = spawn(process.execPath, ['greeter.ts'], { cwd: folder, env, stdio: 'inherit' });
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
  execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
}
