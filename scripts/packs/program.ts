/** The program as modules: what `coxswain` runs, and the threads that serve large requests. */

import path from 'node:path';
import { rolldown, type InputOptions } from 'rolldown';
import { bundleOptions } from './bundle-options.ts';

const root = path.join(import.meta.dirname, '../..');

/** @param folder `lib` of what is being made @param more what is otherwise there */
export async function bundleProgram(folder: string, more: InputOptions = {}): Promise<void> {
  const build = await rolldown({
    ...bundleOptions,
    ...more,
    input: {
      main: path.join(root, 'packages/coxswain/src/main.ts'),
      'request-worker': path.join(root, 'packages/kube-apiserver/src/workers/worker.ts'),
    },
  });
  await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: false,
  });
  await build.close();
}
