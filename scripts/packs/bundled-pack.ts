/** A program split where it loads on demand, as CommonJS in one file that `packages/coxswain/bin` reads. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { nodeFlags } from 'coxswain/program/assets.ts';
import { bundleOptions } from './bundle-options.ts';
import { packed } from './pack-file.ts';

export interface PackOptions {
  readonly root: string;
  /** The package that is being made. */
  readonly folder: string;
  /** Whether its lines are kept, since Node shows them to those in whose process it fails; false when absent. */
  readonly keepsLines?: boolean;
}

/** Many times what it takes. */
const warmUpMsMax = 120_000;

/** Writes `lib/NAME.pack`, without bytecode, and resolves with its path. @param entries sources, from the root, by the name of their module */
export async function bundledPack(
  name: string,
  entries: Readonly<Record<string, string>>,
  { root, folder, keepsLines = false }: PackOptions,
): Promise<string> {
  const input = Object.fromEntries(
    Object.entries(entries).map(([module, source]) => [module, path.join(root, source)]),
  );
  const build = await rolldown({ ...bundleOptions, input });
  const { output } = await build.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // import() of a script of node:vm is experimental, and Node says so.
    dynamicImportInCjs: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: !keepsLines } },
  });
  await build.close();
  const sources = output.flatMap((part) =>
    part.type === 'chunk' ? [{ name: part.fileName, source: latin1(part.code), code: Buffer.alloc(0) }] : [],
  );
  const file = path.join(folder, 'lib', `${name}.pack`);
  await writeFile(file, packed(sources));
  return file;
}

/** V8 keeps such a text in half of the memory, and its bytecode knows the length of what it was made of. */
const latin1 = (code: string): string =>
  code.replace(/[^\0-\u00FF]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Only what has run is in the bytecode that V8 gives away: the script runs the pack, and writes it again. */
export async function warmedUp(
  file: string,
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await promisify(execFile)(process.execPath, [...nodeFlags, path.join(import.meta.dirname, script), file], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    timeout: warmUpMsMax,
    killSignal: 'SIGKILL',
  });
}
