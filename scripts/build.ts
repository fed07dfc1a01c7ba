/**
 * Makes `dist/npm`, the package that is published: all of our own code in a few bundled modules beside the
 * maps of their places, and a manifest that names only what comes from npm. Nothing in the repository needs it:
 * the sources run as they are, only slower to start.
 */

import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { declarations } from './declarations.ts';
import { buildBrowser } from './packs/browser.ts';
import { external } from './packs/bundle-options.ts';
import { addDocs } from './packs/docs.ts';
import { bundleProgram } from './packs/program.ts';
import { recordingPageParts } from './packs/recording-page.ts';
import { writeHelpTexts } from './packs/help-texts.ts';
import { saveUsualBeginnings, writeLibraryDoors } from './packs/library.ts';
import { buildModulesPack } from './packs/modules-pack.ts';
import { packedPage } from './packs/packed-page.ts';
import { repository } from './packs/repository.ts';
import { sbom } from './packs/sbom.ts';
import { thirdPartyLicenses } from './packs/third-party.ts';
import { buildUi } from './packs/ui.ts';
import { describedTypes } from './descriptions.ts';
import { describedParameters } from './parameter-descriptions.ts';
import { oldestNode } from '../packages/coxswain/bin/oldest-node.cjs';

const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'dist', 'npm');
const beside = path.join(root, 'dist', 'npm.new');

await rm(beside, { recursive: true, force: true });
await mkdir(beside, { recursive: true });
await bundleProgram(path.join(beside, 'lib'));
const published = await manifest();
await writeFile(path.join(beside, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
const described = describedTypes();
for (const [file, text] of declarations(described)) {
  const target = path.join(beside, 'api', file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}
// Whoever requires the rest may name these types, too.
await writeFile(path.join(beside, 'api/package.json'), '{ "type": "commonjs" }\n');
const descriptions = JSON.stringify(merged(described, describedParameters()));
await writeFile(path.join(beside, 'lib', 'descriptions.json'), descriptions);
await writeFile(path.join(beside, 'lib', 'recording-page.json'), JSON.stringify(await recordingPageParts()));
// The sources find theirs there.
await writeFile(path.join(root, 'dist', 'descriptions.json'), descriptions);
const pages = ['README.md', 'README.zh.md', 'CHANGELOG.md'];
for (const file of pages) {
  const text = await readFile(path.join(root, file), 'utf8');
  await writeFile(path.join(beside, file), packedPage(text, '', [...pages, 'LICENSE'], published.version));
}
await cp(path.join(root, 'LICENSE'), path.join(beside, 'LICENSE'));
for (const directory of ['bin', 'types'])
  await cp(path.join(root, 'packages/coxswain', directory), path.join(beside, directory), {
    recursive: true,
  });
await typesForRequire(path.join(beside, 'types'));
await buildBrowser({ root, directory: path.join(beside, 'browser') });
await saveUsualBeginnings(path.join(beside, 'lib/beginnings'));
await writeLibraryDoors(beside, await buildModulesPack({ root, directory: beside }));
await writeHelpTexts(path.join(beside, 'lib'));
await buildUi({ root, directory: path.join(root, 'dist', 'ui') });
await cp(path.join(root, 'dist', 'ui'), path.join(beside, 'lib', 'ui'), { recursive: true });
await addDocs(path.join(beside, 'lib'));
await writeFile(path.join(beside, 'THIRD-PARTY.md'), thirdPartyLicenses());
await writeFile(
  path.join(beside, 'sbom.cdx.json'),
  sbom(published, { ...published.dependencies, ...published.optionalDependencies }),
);
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

async function manifest() {
  const own: OwnManifest = JSON.parse(
    await readFile(path.join(root, 'packages/coxswain/package.json'), 'utf8'),
  );
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    keywords: ['kubernetes', 'kubectl', 'kube-apiserver', 'envtest', 'etcd', 'testing', 'controller'],
    license: own.license,
    ...repository,
    type: 'module',
    engines: { node: `>=${oldestNode}` },
    bin: { coxswain: 'bin/coxswain.mjs' },
    exports: {
      '.': forBoth('index'),
      './testing': forBoth('testing'),
      './testing/jest': forBoth('testing-jest'),
      './testing/vitest': { types: './types/testing-vitest.d.ts', default: './lib/testing-vitest.mjs' },
      './browser/element': { types: './types/browser-element.d.ts', default: './browser/element.js' },
      './browser': { types: './types/browser.d.ts', default: './browser/index.js' },
      './browser/worker': { types: './types/browser-worker.d.ts', default: './browser/worker.js' },
      './package.json': './package.json',
      './api': { types: './api/index.d.ts' },
      './api/*': { types: './api/*.d.ts' },
    },
    files: [
      'CHANGELOG.md',
      'THIRD-PARTY.md',
      'README.zh.md',
      'sbom.cdx.json',
      'api',
      'bin',
      'browser',
      'lib',
      'types',
    ],
    dependencies: await versionsOf(external),
    optionalDependencies: await manifestOf('lmdb').then((lmdb) => lmdb.optionalDependencies),
    // Programs are started from it, and it reads a few large files in part.
    preferUnplugged: true,
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

/**
 * Compilers take the types of a module for those of an `import`, unless they end with `.cts`; so what can be
 * required has its types twice, with all the files that they import.
 */
async function typesForRequire(directory: string): Promise<void> {
  const names = new Set(['index', 'testing', 'testing-jest']);
  for (const name of names) {
    const text = await readFile(path.join(directory, `${name}.d.ts`), 'utf8');
    const own = text.replaceAll(/from '\.\/([\w-]+)\.d\.ts'/g, (_, imported: string) => {
      names.add(imported);
      return `from './${imported}.d.cts'`;
    });
    await writeFile(path.join(directory, `${name}.d.cts`), own);
  }
}

async function versionsOf(names: readonly string[]): Promise<Record<string, string>> {
  const versions = names.map(async (name) => [name, (await manifestOf(name)).version] as const);
  return Object.fromEntries(await Promise.all(versions));
}

interface OwnManifest extends Manifest {
  readonly name: string;
  readonly description: string;
  readonly license: string;
}

interface Manifest {
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

async function manifestOf(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(root, 'node_modules', name, 'package.json'), 'utf8'));
}
