/**
 * Makes `dist/libraries/api`, `client` and `controller`: the packages `@coxswain/api`, `@coxswain/client` and
 * `@coxswain/controller` as they are published, with types, and without anything of a server. The last is a door into
 * the client, so that both share one of everything.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { groupVersionDirectories, kindsOf } from '../packages/api/src/group-versions.ts';
import { declarations } from './declarations.ts';
import { describedTypes } from './descriptions.ts';
import { bundleOptions } from './packs/bundle-options.ts';
import { sbom } from './packs/sbom.ts';
import { packedPage } from './packs/packed-page.ts';
import { repository } from './packs/repository.ts';
import { thirdPartyLicenses } from './packs/third-party.ts';
import { oldestNode } from '../packages/coxswain/bin/oldest-node.cjs';

const root = path.join(import.meta.dirname, '..');
const packages = path.join(root, 'packages');
const out = path.join(root, 'dist', 'libraries');
const api = path.join(out, 'api');
const client = path.join(out, 'client');
const controller = path.join(out, 'controller');

/** What a user imports, and where it begins. */
const doors = {
  index: 'client/src/index.ts',
  node: 'client/src/node.ts',
  controller: 'controller/src/index.ts',
  'controller-node': 'controller/src/node.ts',
  metrics: 'apimachinery/src/metrics/metrics.ts',
} as const;

/** Of `schema/src/type.ts`. */
const typedDeclaration =
  /(?:\/\*\*[^*]*\*\/\n)?declare const staticType: unique symbol;\n(?:\/\*\*[^*]*\*\/\n)?export interface Typed<out T> \{[^}]*\}\n/;

/** What `@coxswain/client` takes for a kind, without its declarations. */
const builtInKind = `
declare const staticType: unique symbol;
/** A value that knows, for the compiler, the type of the objects that it is about. */
export interface Typed<out T> {
  readonly [staticType]?: T;
}
/** A kind that every cluster has; \`client.of\` takes it. */
export interface KindRef<out T> extends Typed<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly names: { readonly plural: string; readonly namespaced: boolean };
}
`;

/** The packages whose types a user may meet. */
const typedPackages = ['apimachinery', 'client', 'controller', 'protobuf', 'schema'];

rmSync(out, { recursive: true, force: true });
await bundle();
writeTypes();
writeKindRefs();
writeDoors();
writeManifests();
copyCreate();

async function bundle(): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(doors).map(([name, file]) => [name, path.join(packages, file)]),
  );
  // What makes certificates is inside, and loaded by those who need some.
  const build = await rolldown({ ...bundleOptions, external: /^msgpackr-extract/, input });
  await build.write({
    dir: path.join(client, 'lib'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    sourcemap: false,
  });
  await build.close();
}

/** What the compiler says of the sources, with our packages side by side. */
function writeTypes(): void {
  const types = path.join(client, 'types');
  const beside = mkdtempSync(path.join(root, 'dist', 'types-'));
  try {
    const project = path.join(beside, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: packages,
      outDir: types,
    };
    // Each file by itself: what is reached through node_modules, the compiler may leave out.
    const files = typedPackages.flatMap((name) => sourcesOf(path.join(packages, name, 'src')));
    const extended = path.join(root, 'tsconfig.json');
    writeFileSync(project, JSON.stringify({ extends: extended, compilerOptions, include: [], files }));
    execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' });
  } finally {
    rmSync(beside, { recursive: true });
  }
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const target = path.join(types, file);
    writeFileSync(target, withOwnImports(readFileSync(target, 'utf8'), file));
  }
  // The compiler tells symbols apart by their declaration: these have theirs in @coxswain/api alone.
  const draft = path.join(types, 'client/src/kind/draft.d.ts');
  const names = [
    ...readFileSync(draft, 'utf8').matchAll(/^export (?:declare )?(?:const|type|interface) (\w+)/gm),
  ];
  const shared = names.map(([, name]) => name).join(', ');
  writeFileSync(draft, `export { ${shared} } from '@coxswain/api';\n`);
  const typed = path.join(types, 'schema/src/type.d.ts');
  const text = readFileSync(typed, 'utf8');
  const untyped = text.replace(
    typedDeclaration,
    "import type { Typed } from '@coxswain/api';\nexport type { Typed };\n",
  );
  if (untyped === text) throw new Error(`${typed} declares no Typed`);
  writeFileSync(typed, untyped);
}

function sourcesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(file))
    .map((file) => path.join(directory, file));
}

/** Imports between our packages become paths, and name what is published. */
function withOwnImports(text: string, file: string): string {
  return (
    text
      .replaceAll(/'@coxswain\/([\w-]+)(?:\/([^']+))?'/g, (_whole, name: string, inner = 'index.ts') => {
        const between = path.posix.relative(path.posix.dirname(file), `${name}/src/${inner}`);
        return `'${between.startsWith('.') ? between : `./${between}`}'`;
      })
      // What is bundled has no types beside it; nothing that users are shown needs them.
      .replaceAll(/^import (?:type )?\{ (.*) \} from 'js-yaml';$/gm, (_whole, list: string) =>
        list
          .split(', ')
          .map((name) => `type ${name.replace('type ', '')} = unknown;\n`)
          .join(''),
      )
      .replaceAll(/(from '|import\(')(\.[^']*)\.ts'/g, "$1$2.js'")
  );
}

/** `@coxswain/api/apps/v1`: each kind as a type, and under the same name as what `client.of` takes. */
function writeKindRefs(): void {
  const files = new Map(declarations(describedTypes()));
  for (const directory of groupVersionDirectories) {
    const kinds = kindsOf(directory).filter(({ names }) => names !== undefined);
    const types = files.get(`${directory}.d.ts`);
    if (types === undefined || kinds.length === 0) continue;
    const values = kinds.map(({ apiVersion, kind, names }) => {
      const { plural, namespaced } = names!;
      return `exports.${kind} = ${JSON.stringify({ apiVersion, kind, names: { plural, namespaced } })};\n`;
    });
    const names = kinds.map(({ kind }) => kind);
    files.set(`${directory}.mjs`, importDoor(`./${path.basename(directory)}.js`, names));
    const typed = kinds.map(({ kind }) => `export declare const ${kind}: KindRef<${kind}>;\n`);
    files.set(
      `${directory}.d.ts`,
      ["import type { KindRef } from '../index.js';\n", types, '\n', ...typed].join(''),
    );
    files.set(`${directory}.js`, values.join(''));
  }
  files.set('index.d.ts', files.get('index.d.ts') + builtInKind);
  files.set('index.js', '');
  files.set('index.mjs', 'export {};\n');
  for (const [file, text] of files) {
    write(path.join(api, file), text);
    if (file.endsWith('.d.ts')) writeTypesForImport(path.join(api, file));
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** One library in a process, however it is asked for: `import` gets what `require` has loaded. */
function importDoor(file: string, names: readonly string[]): string {
  return `import library from '${file}';\nexport const { ${names.join(', ')} } = library;\n`;
}

/** The compiler takes types in this package for those of CommonJS, unless they end with `.d.mts`. */
function writeTypesForImport(file: string): void {
  write(file.replace(/\.d\.ts$/, '.d.mts'), `export * from './${path.basename(file, '.d.ts')}.js';\n`);
}

/** What `import` and `require` get of a door. */
function forBoth(types: string, imported: string, required: string): object {
  return {
    import: { types: `${types}.d.mts`, default: imported },
    require: { types: `${types}.d.ts`, default: required },
  };
}

function writeDoors(): void {
  const require = createRequire(import.meta.url);
  for (const [name, source] of Object.entries(doors)) {
    const names = Object.keys(require(path.join(client, 'lib', `${name}.cjs`)) as object);
    write(path.join(client, 'lib', `${name}.mjs`), importDoor(`./${name}.cjs`, names));
    writeTypesForImport(path.join(client, 'types', source.replace(/\.ts$/, '.d.ts')));
  }
  for (const [file, target] of [
    ['index', '@coxswain/client/controller'],
    ['node', '@coxswain/client/controller/node'],
  ] as const) {
    write(path.join(controller, `${file}.js`), `module.exports = require('${target}');\n`);
    for (const ending of ['.mjs', '.d.ts', '.d.mts'])
      write(path.join(controller, `${file}${ending}`), `export * from '${target}';\n`);
  }
}

function writeManifests(): void {
  const door = (name: keyof typeof doors) =>
    forBoth(`./types/${doors[name].replace(/\.ts$/, '')}`, `./lib/${name}.mjs`, `./lib/${name}.cjs`);
  writePackage(client, 'client', {
    exports: {
      '.': door('index'),
      './node': door('node'),
      './node.ts': door('node'),
      './metrics': door('metrics'),
      './controller': door('controller'),
      './controller/node': door('controller-node'),
      './package.json': './package.json',
    },
    files: ['THIRD-PARTY.md', 'sbom.cdx.json', 'lib', 'types'],
    // The types speak of sockets and streams.
    dependencies: { '@coxswain/api': version('api'), '@types/node': '>=20' },
  });
  write(path.join(client, 'THIRD-PARTY.md'), thirdPartyLicenses());
  write(
    path.join(client, 'sbom.cdx.json'),
    sbom(readManifest('client'), { '@coxswain/api': version('api') }),
  );
  writePackage(api, 'api', {
    exports: {
      '.': forBoth('./index', './index.mjs', './index.js'),
      './package.json': './package.json',
      './*': forBoth('./*', './*.mjs', './*.js'),
    },
  });
  const own = (name: string) => forBoth(`./${name}`, `./${name}.mjs`, `./${name}.js`);
  writePackage(controller, 'controller', {
    exports: {
      '.': own('index'),
      './node': own('node'),
      './node.ts': own('node'),
      './package.json': './package.json',
    },
    files: ['*.js', '*.mjs', '*.d.ts', '*.d.mts'],
    dependencies: { '@coxswain/client': version('client') },
  });
}

/** `create-coxswain` is published as it is. */
function copyCreate(): void {
  const directory = path.join(out, 'create-coxswain');
  cpSync(path.join(packages, 'create-coxswain'), directory, { recursive: true });
  const { private: _private, ...manifest } = readManifest('create-coxswain') as { private?: boolean };
  write(
    path.join(directory, 'package.json'),
    `${JSON.stringify({ ...manifest, ...repository }, undefined, 2)}\n`,
  );
  cpSync(path.join(root, 'LICENSE'), path.join(directory, 'LICENSE'));
}

function writePackage(directory: string, name: string, more: object): void {
  const { version, description, license } = readManifest(name);
  const manifest = {
    name: `@coxswain/${name}`,
    version,
    description,
    keywords: ['kubernetes', 'client', 'informer', 'controller', 'operator'],
    license,
    ...repository,
    type: 'commonjs',
    engines: { node: `>=${oldestNode}` },
    ...more,
  };
  writeFileSync(path.join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const page = readFileSync(path.join(packages, name, 'README.md'), 'utf8');
  write(path.join(directory, 'README.md'), packedPage(page, `packages/${name}/`, [], version));
  cpSync(path.join(root, 'LICENSE'), path.join(directory, 'LICENSE'));
}

function version(name: string): string {
  return readManifest(name).version;
}

function readManifest(name: string): { name: string; version: string; description: string; license: string } {
  return JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'));
}
