/**
 * Makes `lib/modules.pack`: kubectl, etcd, kube-apiserver and what users import, split where they part and where they load on
 * demand, as CommonJS in one file that `packages/coxswain/bin/pack.cjs` reads.
 */

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown, type OutputChunk } from 'rolldown';
import { bundleOptions } from './bundle-options.ts';

export interface PackOptions {
  readonly root: string;
  /** The package that is being made. */
  readonly directory: string;
}

const entries = {
  kubectl: 'packages/kubectl/src/executable.ts',
  servers: 'packages/coxswain/src/program/servers.ts',
  index: 'packages/coxswain/src/index.ts',
  testing: 'packages/coxswain/src/testing/index.ts',
} as const;

/** Resolves with what each entry exports, by the name of its file. */
export async function buildModulesPack({
  root,
  directory,
}: PackOptions): Promise<ReadonlyMap<string, readonly string[]>> {
  const input = Object.entries(entries).map(([name, source]) => [name, path.join(root, source)]);
  const build = await rolldown({ ...bundleOptions, input: Object.fromEntries(input) });
  const { output } = await build.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // import() of a script of node:vm is experimental, and Node says so.
    dynamicImportInCjs: false,
    // Lines stay, since Node shows them to those in whose process they fail.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  });
  await build.close();
  const chunks = output.filter((part) => part.type === 'chunk');
  await writeFile(path.join(directory, 'lib/modules.pack'), packed(chunks));
  return new Map(chunks.map(({ fileName, exports }) => [fileName, exports]));
}

/** Sources, one behind the other, behind a line that says where they are and which. */
function packed(chunks: readonly OutputChunk[]): Buffer {
  const sources = chunks.map(({ code }) => latin1(code));
  const text = Buffer.from(sources.join(''), 'latin1');
  const identity = createHash('sha256').update(text).digest('hex').slice(0, 16);
  let end = 0;
  const places = sources.map(({ length }, at) => [chunks[at]!.fileName, [(end += length) - length, length]]);
  const head = `${JSON.stringify({ identity, places: Object.fromEntries(places) })}\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), text]);
}

/** V8 keeps such a text in half of the memory. */
const latin1 = (code: string): string =>
  code.replace(/[^\0-\u00FF]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
