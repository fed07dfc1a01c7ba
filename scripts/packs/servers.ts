/**
 * Makes `lib/servers.pack`: `etcd` and `kube-apiserver`, which tests start over and over, in one file that
 * `packages/coxswain/bin/server.cjs` reads, with the bytecode of what runs until they are ready and answer. Beside it
 * lie the texts of their `--help`.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../packages/apimachinery/src/message-of.ts';
import { bundledPack, warmedUp, type PackOptions } from './bundled-pack.ts';

export async function buildServersPack(options: PackOptions): Promise<void> {
  const file = await bundledPack('servers', { servers: 'packages/coxswain/src/program/servers.ts' }, options);
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-build-'));
  try {
    await warmedUp(file, 'servers-warm-up.ts', home, {});
  } catch (failure) {
    // Where no port may be opened, they are compiled as they run.
    console.warn(`servers are packed without bytecode: ${messageOf(failure)}`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
