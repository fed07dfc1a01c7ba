/** Layers import downward only. The table is the one of ARCHITECTURE.md. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const mayImport: Readonly<Record<string, readonly string[]>> = {
  protobuf: [],
  schema: ['protobuf'],
  cobra: [],
  apimachinery: ['schema'],
  nftables: ['apimachinery'],
  cel: ['apimachinery'],
  grpc: ['protobuf', 'apimachinery', 'http2'],
  storage: ['schema', 'protobuf', 'apimachinery', 'grpc'],
  streaming: ['apimachinery'],
  http2: ['apimachinery'],
  api: ['schema', 'cel', 'apimachinery', 'storage'],
  client: ['schema', 'apimachinery', 'api'],
  controller: ['apimachinery', 'client'],
  apiserver: [
    'schema',
    'protobuf',
    'cobra',
    'cel',
    'apimachinery',
    'storage',
    'streaming',
    'http2',
    'api',
    'client',
  ],
  etcd: ['protobuf', 'apimachinery', 'grpc', 'storage', 'http2', 'cobra'],
  'kube-apiserver': [
    'schema',
    'protobuf',
    'grpc',
    'cel',
    'apimachinery',
    'storage',
    'streaming',
    'api',
    'client',
    'cobra',
    'apiserver',
  ],
  'kube-controller-manager': ['schema', 'cel', 'apimachinery', 'api', 'client', 'cobra', 'apiserver'],
  'kube-scheduler': ['cel', 'schema', 'apimachinery', 'api', 'client', 'cobra', 'apiserver'],
  kubelet: [
    'schema',
    'protobuf',
    'grpc',
    'apimachinery',
    'streaming',
    'api',
    'client',
    'cluster-dns',
    'cobra',
    'apiserver',
  ],
  'kube-proxy': ['nftables', 'schema', 'apimachinery', 'api', 'client', 'cobra', 'apiserver'],
  'cluster-dns': ['apimachinery', 'api', 'client'],
  'network-policy': ['nftables', 'apimachinery', 'api', 'client'],
  kubectl: ['schema', 'apimachinery', 'streaming', 'api', 'client', 'cobra'],
};

/** Packages whose core runs in a browser, and the files in them that are the rim and may use Node. */
const portable: Readonly<Record<string, readonly string[]>> = {
  protobuf: [],
  schema: [],
  cel: [],
  apimachinery: ['src/metrics/process-metrics.ts'],
  api: ['src/meta/node-crypto.ts'],
  cobra: [],
};

const root = path.join(import.meta.dirname, '..');

function sources(packageName: string): string[] {
  const folder = path.join(root, 'packages', packageName, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join(folder, file));
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? '');

/** Types are gone when it runs. */
const runningImportsOf = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8')
      .replaceAll(/(^|\n)import type /g, '$1type ')
      .matchAll(importPattern),
  ].map((match) => match[1] ?? match[2] ?? '');

const relative = (file: string): string => path.relative(root, file);

for (const [packageName, allowed] of Object.entries(mayImport)) {
  test(`${packageName} imports only what lies below it`, () => {
    const wrong = sources(packageName).flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('@coxswain/') || target === 'coxswain')
        .map((target) => target.split('/')[1] ?? target)
        .filter((target) => target !== packageName && !allowed.includes(target))
        .map((target) => `${relative(file)} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test(`${packageName} declares the packages that it imports`, () => {
    const manifest = JSON.parse(
      readFileSync(path.join(root, 'packages', packageName, 'package.json'), 'utf8'),
    );
    const declared = new Set(Object.keys(manifest.dependencies ?? {}));
    const undeclared = sources(packageName).flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.') && !target.startsWith('node:') && !target.startsWith('$'))
        .map((target) =>
          target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => name !== `@coxswain/${packageName}` && name !== 'vitest' && !declared.has(name))
        .map((name) => `${relative(file)} imports ${name}`),
    );
    expect(undeclared).toEqual([]);
  });
}

for (const [packageName, rim] of Object.entries(portable)) {
  test(`${packageName} runs without Node`, () => {
    const wrong = sources(packageName)
      .filter((file) => !rim.includes(path.relative(path.join(root, 'packages', packageName), file)))
      .flatMap((file) =>
        runningImportsOf(file)
          .filter((target) => target.startsWith('node:'))
          .map((target) => `${relative(file)} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });
}

test("the linter keeps Node's globals out of the same files", () => {
  const { overrides } = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8'));
  const { files, excludeFiles, rules } = overrides[0];
  const names = Object.keys(portable);
  const rim = names.flatMap((name) => portable[name]!.map((file) => `packages/${name}/${file}`));
  expect(files.toSorted()).toEqual(names.map((name) => `packages/${name}/src/**/*.ts`).toSorted());
  expect(excludeFiles.toSorted()).toEqual(['**/*.test.ts', ...rim].toSorted());
  expect(rules['no-restricted-globals']).toEqual(
    expect.arrayContaining(['error', 'Buffer', 'process', 'require', '__dirname', 'setImmediate']),
  );
});

test('the table names every package but the product itself', () => {
  const folders = readdirSync(path.join(root, 'packages')).filter((name) => name !== 'coxswain');
  expect(folders.toSorted()).toEqual(Object.keys(mayImport).toSorted());
});
