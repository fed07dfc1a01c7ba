/** Packages import downward only, by the table of ARCHITECTURE.md; neither rooms nor files form a ring. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const mayImport: Readonly<Record<string, readonly string[]>> = {
  protobuf: [],
  'create-coxswain': [],
  schema: ['protobuf'],
  cobra: [],
  apimachinery: ['schema'],
  trace: ['apimachinery'],
  nftables: ['apimachinery'],
  cel: ['apimachinery'],
  grpc: ['protobuf', 'apimachinery', 'http2'],
  storage: ['schema', 'protobuf', 'apimachinery', 'grpc'],
  streaming: ['apimachinery'],
  http2: ['apimachinery'],
  api: ['schema', 'cel', 'apimachinery', 'storage'],
  client: ['schema', 'apimachinery', 'api'],
  controller: ['apimachinery', 'client'],
  'component-base': ['apimachinery', 'client', 'cobra'],
  kustomize: ['apimachinery'],
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
    'component-base',
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
    'component-base',
  ],
  'kube-controller-manager': [
    'schema',
    'cel',
    'apimachinery',
    'api',
    'client',
    'cobra',
    'apiserver',
    'component-base',
  ],
  'kube-scheduler': [
    'cel',
    'schema',
    'apimachinery',
    'api',
    'client',
    'cobra',
    'apiserver',
    'component-base',
  ],
  kubelet: [
    'schema',
    'protobuf',
    'grpc',
    'apimachinery',
    'streaming',
    'api',
    'client',
    'cobra',
    'apiserver',
    'component-base',
  ],
  'simulated-nodes': ['apimachinery', 'api', 'client', 'cluster-dns', 'kubelet'],
  'kube-proxy': ['nftables', 'schema', 'apimachinery', 'api', 'client', 'cobra', 'component-base'],
  'cluster-dns': ['apimachinery', 'api', 'client'],
  'network-policy': ['nftables', 'apimachinery', 'api', 'client'],
  kubectl: ['schema', 'apimachinery', 'streaming', 'api', 'client', 'cobra', 'kustomize'],
  ui: ['apimachinery', 'api', 'client', 'apiserver', 'kube-scheduler', 'network-policy', 'trace'],
  element: ['apimachinery', 'coxswain'],
};

/** Packages whose core runs in a browser, and the files in them that are the rim and may use Node. */
const portable: Readonly<Record<string, readonly string[]>> = {
  protobuf: [],
  schema: [],
  cel: [],
  apimachinery: ['src/metrics/process-metrics.ts'],
  api: ['src/meta/node-crypto.ts'],
  cobra: [],
  trace: [],
};

const root = path.join(import.meta.dirname, '..');

function sources(packageName: string): string[] {
  const directory = path.join(root, 'packages', packageName, 'src');
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => path.join(directory, file));
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
        .filter((target) => !/^([.$#]|node:)/.test(target))
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
  const directories = readdirSync(path.join(root, 'packages')).filter((name) => name !== 'coxswain');
  expect(directories.toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

/** The directory of `src` that a file is in, or the file where it is in none. */
const roomOf = (file: string, source: string): string => path.relative(source, file).split(path.sep)[0]!;

/** By room or file of a package: those it imports from, each with one of the imports, types included. */
function importGraph(
  packageName: string,
  placeOf: (file: string, source: string) => string,
): Map<string, Map<string, string>> {
  const source = path.join(root, 'packages', packageName, 'src');
  const graph = new Map<string, Map<string, string>>();
  for (const file of sources(packageName)) {
    const place = placeOf(file, source);
    const others = graph.get(place) ?? new Map<string, string>();
    graph.set(place, others);
    for (const target of importsOf(file).filter((one) => one.startsWith('.'))) {
      const imported = path.resolve(path.dirname(file), target);
      const other = placeOf(imported, source);
      if (other !== place)
        others.set(other, `${path.relative(source, file)} → ${path.relative(source, imported)}`);
    }
  }
  return graph;
}

/** The imports that lead from a place back to itself; empty where none do. */
function ringIn(rooms: ReadonlyMap<string, ReadonlyMap<string, string>>): readonly string[] {
  const done = new Set<string>();
  const visit = (room: string, way: readonly (readonly [room: string, by: string])[]): readonly string[] => {
    const met = way.findIndex(([passed]) => passed === room);
    if (met >= 0) return way.slice(met).map(([, by]) => by);
    if (done.has(room)) return [];
    for (const [other, by] of rooms.get(room) ?? []) {
      const ring = visit(other, [...way, [room, by]]);
      if (ring.length > 0) return ring;
    }
    done.add(room);
    return [];
  };
  for (const room of rooms.keys()) {
    const ring = visit(room, []);
    if (ring.length > 0) return ring;
  }
  return [];
}

for (const packageName of readdirSync(path.join(root, 'packages'))) {
  test(`the rooms of ${packageName} form no ring`, () => {
    expect(ringIn(importGraph(packageName, roomOf))).toEqual([]);
  });

  test(`the files of ${packageName} form no ring`, () => {
    expect(ringIn(importGraph(packageName, (file) => file))).toEqual([]);
  });
}

test('a ring is told by the imports that make it', () => {
  const rooms = new Map([
    ['a', new Map([['b', 'a → b']])],
    ['b', new Map([['c', 'b → c']])],
    ['c', new Map([['b', 'c → b']])],
  ]);
  expect(ringIn(rooms)).toEqual(['b → c', 'c → b']);
});

/** What runs while a test cluster's clock does: handlers, admission, controllers, plugins, operators. */
const besideVirtualClocks =
  /^(?:controller\/src|apiserver\/src\/handlers|kube-apiserver\/src\/(?:admission|webhooks|proxy)|kube-(?:scheduler|controller-manager)\/src\/.+)\//;

test('modules are loaded within counted work where a virtual clock could run on meanwhile', () => {
  const wrong = allSources
    .map((file) => [path.relative(path.join(root, 'packages'), file), readFileSync(file, 'utf8')] as const)
    .filter(([file]) => besideVirtualClocks.test(file) && !file.endsWith('.test.ts'))
    .filter(([, text]) => /(?<!typeof )\bimport\('/.test(text) && !text.includes('inWallTime('))
    .map(([file]) => file);
  expect(wrong).toEqual([]);
});

const manifests = readdirSync(path.join(root, 'packages')).map((directory) => ({
  directory,
  manifest: JSON.parse(readFileSync(path.join(root, 'packages', directory, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports?: Readonly<Record<string, string>>;
  },
}));

/** `@coxswain/apiserver/filters/chain.ts`, as somebody may write it. */
const deepImport = /['"]((?:@coxswain\/[a-z0-9-]+|coxswain)\/[^'"\n]+\.ts)['"]/g;

/** Whatever is written in TypeScript, with its tests. */
const allSources = ['packages', 'test', 'scripts', 'bench'].flatMap((directory) =>
  readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[mc]?ts$/.test(file) && !file.includes('node_modules') && !file.includes('dist'))
    .map((file) => path.join(root, directory, file)),
);

test('packages export subjects by name, and what others import of them is exported', () => {
  const exported = new Set<string>();
  for (const { manifest } of manifests)
    for (const subpath of Object.keys(manifest.exports ?? {})) exported.add(manifest.name + subpath.slice(1));
  expect([...exported].filter((subpath) => /^(@coxswain\/)?[^/]+\/\*$/.test(subpath))).toEqual([]);
  const isExported = (target: string): boolean =>
    exported.has(target) || exported.has(target.replace(/^((?:@coxswain\/)?[^/]+\/[^/]+)\/.*/, '$1/*'));
  const hidden = allSources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(deepImport)]
      .map(([, target]) => target!)
      .filter((target) => !isExported(target))
      .map((target) => `${relative(file)} imports ${target}`),
  );
  expect(hidden).toEqual([]);
});

test('what packages export by name is imported by somebody', () => {
  const imported = new Set(
    allSources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(deepImport)].flatMap(([, target]) => [
        target!,
        target!.replace(/^((?:@coxswain\/)?[^/]+\/[^/]+)\/.*/, '$1/*'),
      ]),
    ),
  );
  const unused = manifests
    .flatMap(({ manifest }) => Object.keys(manifest.exports ?? {}).map((key) => manifest.name + key.slice(1)))
    .filter((subpath) => /\.ts$|\*$/.test(subpath) && !imported.has(subpath));
  expect(unused).toEqual([]);
});
