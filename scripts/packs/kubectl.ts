/**
 * Makes `lib/kubectl.pack`: all of kubectl in one file that `packages/coxswain/bin/kubectl.cjs` reads. A second pass
 * puts in the bytecode of what common commands run, found by running them against a cluster of this process.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../packages/apimachinery/src/message-of.ts';
import { bundledPack, warmedUp, type PackOptions } from './bundled-pack.ts';

export async function buildKubectlPack(options: PackOptions): Promise<void> {
  const file = await bundledPack('kubectl', { kubectl: 'packages/kubectl/src/executable.ts' }, options);
  try {
    await warmUp(options.folder, file);
  } catch (failure) {
    // Where no port may be opened, kubectl is compiled as it runs.
    console.warn(`kubectl is packed without bytecode: ${messageOf(failure)}`);
  }
}

async function warmUp(folder: string, file: string): Promise<void> {
  const { createCluster } = await import(path.join(folder, 'lib/testing.mjs'));
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-build-'));
  const cluster = await createCluster({ nodes: 1 });
  try {
    const kubeconfig = path.join(home, 'config');
    await writeFile(kubeconfig, await cluster.kubeconfig());
    await warmedUp(file, 'kubectl-warm-up.ts', home, { KUBECONFIG: kubeconfig });
  } finally {
    await cluster.stop();
    await rm(home, { recursive: true, force: true });
  }
}
