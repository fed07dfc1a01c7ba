/**
 * What the bundle for browsers is made with. Modules of Node have their counterparts in
 * `packages/coxswain/src/browser/node`; a name that has none there stands for a function that refuses to be called.
 */

import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { InputOptions, Plugin } from 'rolldown';
import { notingPackages } from './third-party.ts';

const root = path.join(import.meta.dirname, '../..');
const directory = path.join(root, 'packages/coxswain/src/browser/node');
const globals = path.join(directory, 'globals.ts');
const refusing = path.join(directory, 'without-node.ts');

/** Node modules with a counterpart, and the file that contains it. */
const counterparts: Readonly<Record<string, string>> = {
  buffer: 'buffer.ts',
  crypto: 'crypto.ts',
  events: 'events.ts',
  fs: 'fs.ts',
  'fs/promises': 'fs/promises.ts',
  net: 'net.ts',
  os: 'os.ts',
  path: 'path.ts',
  perf_hooks: 'perf_hooks.ts',
  process: 'process.ts',
  stream: 'stream.ts',
  'stream/promises': 'stream/promises.ts',
  'timers/promises': 'timers/promises.ts',
  util: 'promisify.ts',
  zlib: 'zlib.ts',
};

/** Packages that are called as modules of Node are. */
const named = new Set(['buffer', 'events', 'string_decoder']);

const nodePrefix = '\0node:';
const namesPrefix = '\0names-of-node:';

const builtin = (id: string): string | undefined => {
  const name = id.replace(/^node:/, '');
  return (id.startsWith('node:') || isBuiltin(id)) && !(named.has(id) && !id.startsWith('node:'))
    ? name
    : undefined;
};

/** A module of Node: those of its names that have a counterpart, and refusals for the others. */
const withoutNode: Plugin = {
  name: 'without-node',
  resolveId(id) {
    if (id.startsWith(nodePrefix) || id.startsWith(namesPrefix)) return { id, moduleSideEffects: false };
    const name = builtin(id);
    return name === undefined ? null : { id: nodePrefix + name, moduleSideEffects: false };
  },
  async load(id) {
    if (id.startsWith(nodePrefix)) {
      const names = JSON.stringify(namesPrefix + id.slice(nodePrefix.length));
      return `export * from ${names};\nimport * as all from ${names};\nexport default all;`;
    }
    return id.startsWith(namesPrefix) ? namesOf(id.slice(namesPrefix.length)) : null;
  },
};

/** Node modules that are obtained without an import. */
const builtinCall = /(?<!\?\.)\bprocess\.getBuiltinModule\('node:(\w+)'\)/g;

const importedBuiltins: Plugin = {
  name: 'imported-builtins',
  transform(code) {
    const names = new Set([...code.matchAll(builtinCall)].map(([, name]) => name!));
    if (names.size === 0) return null;
    const imports = [...names].map((name) => `import * as builtin_${name} from 'node:${name}';`);
    return `${imports.join(' ')}${code.replaceAll(builtinCall, 'builtin_$1')}`;
  },
};

async function namesOf(name: string): Promise<string> {
  const counterpart = counterparts[name];
  const file = counterpart === undefined ? undefined : path.join(directory, counterpart);
  const own = file === undefined ? [] : await exportsOf(file);
  const all = (await exportsOf(`node:${name}`)).filter((key) => /^[a-z_]\w*$/i.test(key));
  const refused = all.filter((key) => key !== 'default' && !own.includes(key));
  return [
    `import { withoutNode } from ${JSON.stringify(refusing)};`,
    file === undefined ? '' : `export * from ${JSON.stringify(file)};`,
    ...refused.map((key) => `export const ${key} = /* @__PURE__ */ withoutNode('node:${name}', '${key}');`),
  ].join('\n');
}

const exportsOf = async (module: string): Promise<string[]> =>
  Object.keys((await import(/* @vite-ignore */ module)) as object);

/** `ws` gives browsers a class that only throws; over a stream of ours it runs anywhere, with `randomFillSync`. */
const ws = path.join(root, 'node_modules/ws/wrapper.mjs');

export const browserOptions = {
  platform: 'browser',
  // Paths there lead to declarations.
  tsconfig: false,
  moduleTypes: { '.css': 'text' },
  transform: {
    jsx: { runtime: 'automatic', importSource: 'preact' },
    target: 'es2024',
    inject: {
      Buffer: [globals, 'Buffer'],
      process: [globals, 'process'],
      setImmediate: [globals, 'setImmediate'],
      clearImmediate: [globals, 'clearImmediate'],
      'globalThis.setImmediate': [globals, 'setImmediate'],
    },
  },
  resolve: { alias: { ws }, conditionNames: ['browser', 'import', 'default'] },
  plugins: [importedBuiltins, withoutNode, notingPackages],
  // Our modules only declare; what a page has no use for is left out with all that it imports.
  treeshake: { moduleSideEffects: [{ test: /[\\/]packages[\\/].*\.ts$/, sideEffects: false }] },
  logLevel: 'warn',
} satisfies InputOptions;
