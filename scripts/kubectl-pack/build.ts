/**
 * Makes `lib/kubectl.pack`: all of kubectl, split where it loads on demand, in one file that
 * `packages/coxswain/bin/kubectl.cjs` reads. A second pass puts in the bytecode of what common commands run,
 * found by running them against a cluster of this process.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { nodeFlags } from '../../packages/coxswain/src/assets.ts';
import { packed } from './pack-file.ts';

export interface PackOptions {
  readonly root: string;
  /** The package that is being made. */
  readonly folder: string;
  readonly external: readonly string[];
}

/** Many times what it takes. */
const warmUpMsMax = 120_000;

export async function buildKubectlPack({ root, folder, external }: PackOptions): Promise<void> {
  const build = await rolldown({
    input: { kubectl: path.join(root, 'packages/kubectl/src/executable.ts') },
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    logLevel: 'warn',
  });
  const { output } = await build.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  await build.close();
  const sources = output.flatMap((part) =>
    part.type === 'chunk' ? [{ name: part.fileName, source: latin1(part.code), code: Buffer.alloc(0) }] : [],
  );
  const file = path.join(folder, 'lib', 'kubectl.pack');
  await writeFile(file, packed(sources));
  try {
    await warmUp(folder, file);
  } catch (failure) {
    // Where no port may be opened, kubectl is compiled as it runs.
    console.warn(`kubectl is packed without bytecode: ${(failure as Error).message}`);
  }
}

/** V8 keeps such a text in half of the memory, and its bytecode knows the length of what it was made of. */
const latin1 = (code: string): string =>
  code.replace(/[^\0-\u00FF]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Only what has run is in the bytecode that V8 gives away. */
async function warmUp(folder: string, file: string): Promise<void> {
  const { createCluster } = await import(path.join(folder, 'lib/testing.mjs'));
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-build-'));
  const cluster = await createCluster({ nodes: 1 });
  try {
    await writeFile(path.join(home, 'config'), await cluster.kubeconfig());
    const script = path.join(import.meta.dirname, 'warm-up.ts');
    const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: path.join(home, 'config') };
    await promisify(execFile)(process.execPath, [...nodeFlags, script, file], {
      cwd: home,
      env,
      timeout: warmUpMsMax,
      killSignal: 'SIGKILL',
    });
  } finally {
    await cluster.stop();
    await rm(home, { recursive: true, force: true });
  }
}
