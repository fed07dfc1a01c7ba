import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');

/** An executable of our own etcd, below `directory`. */
export function ownEtcd(directory: string): string {
  const file = join(directory, 'etcd');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' etcd "$@"\n`, { mode: 0o755 });
  return file;
}
