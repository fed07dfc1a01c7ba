/** The requirements for a machine to be a node with real containers. */

import { existsSync } from 'node:fs';

/** @param who the subject of the error message: `a node`, `--node` @throws Error naming what this machine lacks */
export function checkMachine(who: string, runtimeEndpoint: string): void {
  if (process.platform !== 'linux') throw new Error(`${who} requires Linux`);
  if (process.getuid?.() !== 0) throw new Error(`${who} requires root: it creates mounts and control groups`);
  const socket = runtimeEndpoint.replace(/^unix:\/\//, '');
  if (!existsSync(socket))
    throw new Error(
      `${who} requires a container runtime, but none is listening on ${socket} (install and start containerd, or set --container-runtime-endpoint)`,
    );
}
