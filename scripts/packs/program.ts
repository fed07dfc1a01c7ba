/** The program as modules: what `coxswain` runs, and the threads that serve large requests. */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { rolldown, type InputOptions } from 'rolldown';
import { bundleOptions } from './bundle-options.ts';
import { packSources } from './sources.ts';

const root = path.join(import.meta.dirname, '../..');

interface ProgramOptions {
  readonly external?: InputOptions['external'];
  /** Names of variables become short. `--functions` of `coxswain trace` needs them as they are. */
  readonly mangle?: boolean;
}

/** @param directory `lib` of what is being made */
export async function bundleProgram(
  directory: string,
  { external = bundleOptions.external, mangle = false }: ProgramOptions = {},
): Promise<void> {
  const keepNames = { function: true, class: true };
  const build = await rolldown({
    ...bundleOptions,
    external,
    input: {
      main: path.join(root, 'packages/coxswain/src/main.ts'),
      functions: path.join(root, 'packages/coxswain/src/trace/functions/register.ts'),
      'request-worker': path.join(root, 'packages/kube-apiserver/src/workers/worker.ts'),
      'serving-thread': path.join(root, 'packages/kube-apiserver/src/serving-thread.ts'),
    },
  });
  await build.write({
    dir: directory,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    // Recordings tell the names of functions.
    minify: {
      compress: { keepNames },
      mangle: mangle && { keepNames },
      codegen: { removeWhitespace: true },
    },
    sourcemap: 'hidden',
  });
  await build.close();
  await packSources(directory);
  for (const name of await readdir(directory))
    if (name.endsWith('.mjs.map')) await compressMap(directory, name);
}

/** Places only, without the sources: recordings tell where a step is in them, by file and line. */
async function compressMap(directory: string, name: string): Promise<void> {
  const file = path.join(directory, name);
  const { version, sources, mappings } = JSON.parse(await readFile(file, 'utf8')) as RawSourceMap;
  const fromRoot = sources.map((source) => path.relative(root, path.resolve(directory, source)));
  const lines = encode(decode(mappings).map(lineChanges));
  const map = { version, sources: fromRoot, names: [], mappings: lines };
  await writeFile(`${file}.gz`, gzipSync(JSON.stringify(map), { level: 9 }));
  await rm(file);
}

/** Where another line of the sources begins: a third of what bundlers say. */
function lineChanges(segments: readonly SourceMapSegment[]): SourceMapSegment[] {
  return segments.filter(([, source, line], at) => {
    const before = segments[at - 1];
    return before === undefined || before[1] !== source || before[2] !== line;
  });
}

interface RawSourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  readonly mappings: string;
}
