/** What a machine needs to be a node whose containers are real. */

import { existsSync } from 'node:fs';

/** @param who begins the sentence: `a node`, `--node` @throws Error with what is missing on this machine */
export function checkMachine(who: string, runtimeEndpoint: string): void {
  if (process.platform !== 'linux') throw new Error(`${who} requires Linux`);
  if (process.getuid?.() !== 0) throw new Error(`${who} requires root: it creates mounts and control groups`);
  const socket = runtimeEndpoint.replace(/^unix:\/\//, '');
  if (!existsSync(socket))
    throw new Error(
      `${who} requires a container runtime, but none is listening on ${socket} (install and start containerd, or set --container-runtime-endpoint)`,
    );
}
