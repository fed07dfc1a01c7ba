/** Makes the modules of `coxswain/browser`, split where they load on demand. */

import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { rolldown, type Plugin } from 'rolldown';
import { browserOptions } from './browser-options.ts';

export interface BrowserBuild {
  readonly root: string;
  /** The output directory, whose previous contents are deleted. */
  readonly directory: string;
}

/** One of the files that a build has written. */
export interface BuiltModule {
  readonly fileName: string;
  /** The files of the modules that it imports, without those that it loads on demand. */
  readonly imports: readonly string[];
}

export interface BrowserSizes {
  /** The compressed size of everything, in brotli. */
  readonly wholeBytes: number;
  /** The size of what a cluster without kubectl loads. */
  readonly startBytes: number;
}

/** What the manuals say of types and fields, where the build has found it out. */
const descriptionsId = '#descriptions';

/** `index.js` of `coxswain/browser`, its `worker.js`, `element.js` with the element, and what they load on demand. */
export const buildBrowser = ({ root, directory }: BrowserBuild): Promise<readonly BuiltModule[]> =>
  buildForBrowser({
    root,
    directory,
    entries: {
      index: path.join(root, 'packages/coxswain/src/browser/index.ts'),
      element: path.join(root, 'packages/element/src/element.ts'),
      worker: path.join(root, 'packages/coxswain/src/browser/worker/worker.ts'),
    },
  });

/** @param entries sources, by the name of their module */
export async function buildForBrowser({
  root,
  directory,
  entries,
}: BrowserBuild & { readonly entries: Readonly<Record<string, string>> }): Promise<readonly BuiltModule[]> {
  await rm(directory, { recursive: true, force: true });
  const build = await rolldown({
    ...browserOptions,
    plugins: [descriptionsOf(root), ...browserOptions.plugins],
    input: entries,
  });
  const { output } = await build.write({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name].js',
    // All in one directory, so that whichever module starts the worker finds it there.
    chunkFileNames: '[name]-[hash].js',
    minify: true,
  });
  await build.close();
  return output
    .filter((part) => part.type === 'chunk')
    .map(({ fileName, imports }) => ({ fileName, imports }));
}

/** As a string, since engines parse JSON faster than object literals. */
const descriptionsOf = (root: string): Plugin => ({
  name: 'descriptions',
  resolveId: (id) => (id === descriptionsId ? `\0${descriptionsId}` : null),
  async load(id) {
    if (id !== `\0${descriptionsId}`) return null;
    const text = await readFile(path.join(root, 'dist/descriptions.json'), 'utf8').catch(() => '{}');
    return `export const descriptions = JSON.parse(${JSON.stringify(text)});`;
  },
});

const compress = promisify(brotliCompress);

/** Takes longer than the build itself: only whoever reports sizes compresses. */
export async function sizesOf(directory: string, modules: readonly BuiltModule[]): Promise<BrowserSizes> {
  const compressed = modules.map(async ({ fileName }) => {
    const { length } = await compress(await readFile(path.join(directory, fileName)));
    return [fileName, length] as const;
  });
  const bytes = new Map(await Promise.all(compressed));
  const byName = new Map(modules.map((module) => [module.fileName, module]));
  const start = new Set<string>();
  const visit = (name: string): void => {
    if (start.has(name)) return;
    start.add(name);
    byName.get(name)?.imports.forEach(visit);
  };
  visit('index.js');
  const sum = (names: Iterable<string>) =>
    [...names].reduce((total, name) => total + (bytes.get(name) ?? 0), 0);
  return { wholeBytes: sum(bytes.keys()), startBytes: sum(start) };
}
