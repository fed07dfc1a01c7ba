/**
 * Packs the npm package, installs it in an empty directory as a user would, and uses it there: nothing of the
 * repository may be needed. Needs `npm run build` and `npm run site`. Ends with a line that says so, or throws.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expectMatch, run } from './installed/run.ts';
import { checkLinks, lintArchive } from './installed/lint-archive.ts';
import { checkSbom } from './installed/check-sbom.ts';
import { checkManagers } from './installed/managers.ts';
import { otherRuntimes } from './installed/other-runtimes.ts';
import { checkRuntime, checkTestRunners, olderNode } from './installed/test-runners.ts';
import { oldestNode } from '../packages/coxswain/bin/oldest-node.cjs';
import { startUp } from '../test/story/running-cluster.ts';

const root = path.join(import.meta.dirname, '..');
const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-package-'));

/**
 * What everybody downloads who installs it, beside the 5 MB of LMDB: sources to show beside steps, the cluster for browsers and
 * the documentation are most.
 */
const packedBytesMax = 13_000_000;

const versionLine = /^coxswain \d+\.\d+\.\d+ \(Kubernetes v1\.36/m;

if (!existsSync(path.join(root, 'dist/npm/lib/docs.br')))
  throw new Error('dist/npm has no documentation to pack: run `npm run build` and `npm run site` first');

try {
  run(root, 'npm', ['pack', './dist/npm', '--silent', `--pack-destination=${directory}`]);
  const archive = readdirSync(directory).find((name) => name.endsWith('.tgz')) ?? '';
  const packedBytes = statSync(path.join(directory, archive)).size;
  if (packedBytes > packedBytesMax) throw new Error(`the package has ${packedBytes} bytes packed`);
  // Vitest and browsers use `import` only.
  lintArchive(path.join(directory, archive), [
    'testing/vitest',
    'browser',
    'browser/element',
    'browser/worker',
  ]);
  writeFileSync(path.join(directory, 'package.json'), '{ "private": true }\n');
  run(directory, 'npm', ['install', '--no-audit', '--no-fund', '--silent', `./${archive}`]);

  expectMatch(run(directory, 'npx', ['coxswain', 'version']), versionLine);
  checkSbom(path.join(directory, 'node_modules/coxswain'));
  checkLinks(path.join(directory, 'node_modules/coxswain'));
  expectMatch(
    run(directory, 'npx', ['coxswain', 'kubectl', 'version', '--client']),
    /Client Version: v1\.36/,
  );
  const assets = run(directory, 'npx', ['coxswain', 'assets']).trim();
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'])
    expectMatch(run(directory, path.join(assets, name), ['--help']), /\S/);
  compileUserProject();
  await readDocs();
  const nodes = [...otherNodes(), process.execPath];
  for (const node of [nodes[0]!, process.execPath]) await useCluster([node]);
  checkTestRunners(directory, nodes);
  for (const runtime of otherRuntimes(directory)) {
    checkRuntime(directory, runtime);
    // On Deno, the threads that serve large requests do not respond.
    if (runtime.name !== 'Deno') await useCluster(runtime.script);
  }
  checkManagers(directory, path.join(directory, archive), versionLine);
  console.log(`the package (${Math.round(packedBytes / 1024)} KiB packed) installs and runs elsewhere`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Checks that the compiler accepts correct user code and rejects wrong objects. */
function compileUserProject(): void {
  const source = `import type { Draft } from 'coxswain/api';
import type { Deployment } from 'coxswain/api/apps/v1';
import type { Event, PodList } from 'coxswain/api/core/v1';
import { startCluster } from 'coxswain';
import { createCluster } from 'coxswain/testing';

export const copied = async (): Promise<readonly string[]> => {
  const cluster = await startCluster({ nodes: 1 });
  const copy = await cluster.fork({ snapshot: cluster.snapshot() });
  return copy.components.names;
};
export const running = async (): Promise<number> => {
  await using cluster = await createCluster({ nodes: 2, seed: 1 });
  await cluster.apply(web);
  await cluster.client.apply(web, { fieldManager: 'me' });
  const deployments = cluster.client.resource<Deployment>('apps/v1', 'deployments').namespace('default');
  await deployments.create(web);
  await deployments.apply(web, { fieldManager: 'me' });
  const { status } = await deployments.get('web');
  status.availableReplicas satisfies number | undefined;
  await cluster.idle();
  // @ts-expect-error there is no such action
  cluster.faults.add({ action: 'explode' });
  return cluster.requests({ verb: 'create', resource: 'pods' }).length;
};

export const web: Draft<Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};
// @ts-expect-error nothing is said
export const empty: Draft<Deployment> = {};
// @ts-expect-error a container has a name
export const nameless: Draft<Deployment>['spec']['template']['spec'] = { containers: [{}] };
// @ts-expect-error a number is no text
export const wrong: Draft<Deployment> = { spec: { replicas: 'two' } };
// @ts-expect-error nor is there such a policy
export const unknown: Draft<PodList> = { items: [{ spec: { restartPolicy: 'Sometimes' } }] };
export const namesOf = (pods: PodList): (string | undefined)[] => pods.items.map((pod) => pod.metadata.name);
export const reasonOf = (event: Event): string | undefined => event.reason;
`;
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: [],
  };
  writeFileSync(path.join(directory, 'user.ts'), source);
  writeFileSync(
    path.join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['user.ts'] }),
  );
  run(directory, path.join(root, 'node_modules/.bin/tsc'), []);
}

async function readDocs(): Promise<void> {
  const program = path.join(directory, 'node_modules/coxswain/bin/coxswain.mjs');
  const server = spawn(process.execPath, [program, 'docs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(server, 'exit');
  try {
    const first: unknown[] = await Promise.race([once(server.stdout, 'data'), exit]);
    const [link = ''] = /http:\S+/.exec(String(first[0])) ?? [];
    if (link === '') throw new Error(`coxswain docs did not start: ${String(first[0])}`);
    expectMatch(await (await fetch(link)).text(), /<title>Coxswain/);
  } finally {
    server.kill('SIGTERM');
  }
  const [code] = (await exit) as [number | null];
  if (code !== 0) throw new Error(`coxswain docs ended with ${code}`);
}

/** At the second start, the certificate authority has to sign again; large requests are served by a thread. */
async function useCluster(runtime: readonly string[]): Promise<void> {
  const program = [...runtime, path.join(directory, 'node_modules/coxswain/bin/coxswain.mjs')];
  const large = path.join(directory, 'large.json');
  const data = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`key-${index}`, 'x'.repeat(1000)]),
  );
  writeFileSync(large, JSON.stringify({ metadata: { name: 'large' }, data }));
  const storage = mkdtempSync(path.join(directory, 'storage-'));
  for (const name of ['first.test', 'second.test']) {
    const cluster = await startUp([`--data-dir=${storage}`, `--tls-san=${name}`], program);
    const kubectl = (...args: string[]) =>
      run(directory, program[0]!, [
        ...program.slice(1),
        'kubectl',
        `--kubeconfig=${cluster.kubeconfig}`,
        ...args,
      ]);
    let exit: number | null;
    try {
      expectMatch(kubectl('get', 'namespaces', '-o', 'name'), /namespace\/default/);
      const create = '/api/v1/namespaces/default/configmaps?dryRun=All';
      expectMatch(kubectl('create', `--raw=${create}`, `--filename=${large}`), /"key-899"/);
    } finally {
      exit = await cluster.stop();
    }
    if (exit !== 0) throw new Error(`stopping ended with ${exit}:\n${cluster.output()}`);
  }
}

/** The oldest supported version, and those between it and the newest. */
function otherNodes(): readonly string[] {
  return [oldestNode, '22.23.3', '24.9.0'].flatMap((version) => {
    // In a separate directory, since it brings a `node` for `node_modules/.bin`.
    const beside = path.join(directory, `node-${version}`);
    mkdirSync(beside);
    writeFileSync(path.join(beside, 'package.json'), '{ "private": true }\n');
    const node = olderNode(beside, version);
    if (node === undefined) console.warn(`no Node ${version} for this platform: it is left out`);
    return node ?? [];
  });
}
