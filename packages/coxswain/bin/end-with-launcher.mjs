// Imported by a process that a launcher has started, so that it ends with the launcher, even one that was killed.

import { Socket } from 'node:net';
import process from 'node:process';

const { COXSWAIN_LAUNCHER_PIPE: descriptor } = process.env;
// Threads and children of the process import this, too.
delete process.env.COXSWAIN_LAUNCHER_PIPE;
if (descriptor !== undefined) {
  const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false });
  pipe.on('error', () => undefined);
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume().unref();
}
