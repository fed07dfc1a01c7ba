/** Kernel locks for versions of Node without SQLite: with flock(1) on Linux, by a flag of open(2) on macOS. */

import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { Lock } from './lock.ts';

const { O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** A flag of macOS that Node doesn't define. */
const O_EXLOCK = 0x20;

export const lockFile: Lock = (file) =>
  (process.platform === 'darwin' ? lockWhenOpened : lockWithProgram)(file);

const lockWhenOpened: Lock = (file) => {
  try {
    return heldBy(openSync(file, O_CREAT | O_RDWR | O_NONBLOCK | O_EXLOCK, 0o644));
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw failure;
  }
};

/** The lock belongs to the open file, which the program shares with this process. */
const lockWithProgram: Lock = (file) => {
  const descriptor = openSync(file, O_CREAT | O_RDWR, 0o644);
  const { status, error } = spawnSync('flock', ['--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  });
  if (status === 0) return heldBy(descriptor);
  closeSync(descriptor);
  if (status === refused) return undefined;
  throw new Error('cannot lock it: Node 24 or newer, or the program flock, is required', {
    cause: error,
  });
};

/** The exit status of flock when the lock is taken. */
const refused = 1;

const heldBy = (descriptor: number) => ({ release: () => closeSync(descriptor) });
