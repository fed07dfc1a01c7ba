import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');

/** An executable of our own etcd, below `folder`. */
export function ownEtcd(folder: string): string {
  const file = join(folder, 'etcd');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' etcd "$@"\n`, { mode: 0o755 });
  return file;
}
