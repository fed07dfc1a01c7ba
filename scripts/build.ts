/**
 * Makes `dist/npm`, the package that is published: all of our own code in a few bundled modules beside the
 * table of steps, and a manifest that names only what comes from npm. Nothing in the repository needs it:
 * the sources run as they are, only slower to start.
 */

import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { declarations } from './declarations.ts';
import { buildKubectlPack } from './packs/kubectl.ts';
import { buildServersPack } from './packs/servers.ts';
import { buildTestingPack } from './packs/testing.ts';
import { describedTypes } from './descriptions.ts';
import { describedParameters } from './parameter-descriptions.ts';
import { stepSources } from '../packages/coxswain/src/trace/step-sources.ts';

const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'dist', 'npm');
const beside = path.join(root, 'dist', 'npm.new');

/** Native, or so seldom needed that they stay outside of the bundle. */
const external = ['lmdb', '@peculiar/x509', 'reflect-metadata'];

await rm(beside, { recursive: true, force: true });
await mkdir(beside, { recursive: true });
await bundle();
await writeFile(path.join(beside, 'package.json'), `${JSON.stringify(await manifest(), undefined, 2)}\n`);
await writeFile(path.join(beside, 'lib', 'steps.json'), JSON.stringify(await stepSources(root)));
const described = describedTypes();
for (const [file, text] of declarations(described)) {
  const target = path.join(beside, 'api', file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}
const descriptions = JSON.stringify(merged(described, describedParameters()));
await writeFile(path.join(beside, 'lib', 'descriptions.json'), descriptions);
// The sources find theirs there.
await writeFile(path.join(root, 'dist', 'descriptions.json'), descriptions);
for (const file of ['README.md', 'README.zh.md', 'LICENSE', 'CHANGELOG.md'])
  await cp(path.join(root, file), path.join(beside, file));
for (const folder of ['bin', 'types'])
  await cp(path.join(root, 'packages/coxswain', folder), path.join(beside, folder), { recursive: true });
await typesForRequire(path.join(beside, 'types'));
await buildTestingPack({ root, folder: beside, external });
await buildKubectlPack({ root, folder: beside, external });
await buildServersPack({ root, folder: beside, external });
await rm(out, { recursive: true, force: true });
await rename(beside, out);

/** The first that says something of a member is believed. */
function merged(...tables: readonly Record<string, Readonly<Record<string, string>>>[]): object {
  const result: Record<string, Record<string, string>> = {};
  for (const table of tables) {
    for (const [name, members] of Object.entries(table)) result[name] = { ...members, ...result[name] };
  }
  return result;
}

async function bundle(): Promise<void> {
  const build = await rolldown({
    input: {
      main: path.join(root, 'packages/coxswain/src/main.ts'),
      index: path.join(root, 'packages/coxswain/src/index.ts'),
      'request-worker': path.join(root, 'packages/kube-apiserver/src/workers/worker.ts'),
    },
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    logLevel: 'warn',
    // What one program loads when it is needed, another has from the start.
    checks: { ineffectiveDynamicImport: false },
  });
  await build.write({
    dir: path.join(beside, 'lib'),
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: false,
  });
  await build.close();
}

async function manifest(): Promise<unknown> {
  const own = JSON.parse(await readFile(path.join(root, 'packages/coxswain/package.json'), 'utf8'));
  const workspace = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    keywords: ['kubernetes', 'kubectl', 'kube-apiserver', 'envtest', 'etcd', 'testing', 'controller'],
    license: own.license,
    type: 'module',
    engines: workspace.engines,
    bin: { coxswain: 'bin/coxswain.mjs' },
    exports: {
      '.': { types: './types/index.d.ts', default: './lib/index.mjs' },
      './testing': forBoth('testing'),
      './testing/jest': forBoth('testing-jest'),
      './testing/vitest': { types: './types/testing-vitest.d.ts', default: './lib/testing-vitest.mjs' },
      './package.json': './package.json',
      './api': { types: './api/index.d.ts' },
      './api/*': { types: './api/*.d.ts' },
    },
    files: ['api', 'bin', 'lib', 'types'],
    dependencies: await versionsOf(external),
    optionalDependencies: workspace.optionalDependencies,
  };
}

/** What `require` and `import` get: the same, said in the words of each. */
function forBoth(name: string): object {
  return {
    require: { types: `./types/${name}.d.cts`, default: `./lib/${name}.cjs` },
    types: `./types/${name}.d.ts`,
    default: `./lib/${name}.mjs`,
  };
}

/** Compilers take the types of a module for those of an `import`, unless they end with `.cts`. */
async function typesForRequire(folder: string): Promise<void> {
  for (const name of ['testing', 'testing-matchers', 'testing-jest']) {
    const text = await readFile(path.join(folder, `${name}.d.ts`), 'utf8');
    const own = text.replaceAll(/from '(\.\/[\w-]+)\.d\.ts'/g, "from '$1.d.cts'");
    await writeFile(path.join(folder, `${name}.d.cts`), own);
  }
}

async function versionsOf(names: readonly string[]): Promise<Record<string, string>> {
  const versions = names.map(async (name) => {
    const text = await readFile(path.join(root, 'node_modules', name, 'package.json'), 'utf8');
    return [name, JSON.parse(text).version] as const;
  });
  return Object.fromEntries(await Promise.all(versions));
}
