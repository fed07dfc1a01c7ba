/** The life of a process: runs one program, then exits with its status. */

import type { Writable } from 'node:stream';
import { giveBackFreeMemory } from './free-memory.ts';
import { processIo, type ProgramIo } from './program-io.ts';

/**
 * Ends the process with its program, as upstream does, even if a failed start left a port open or a timer is still
 * pending. Pending output is written first.
 */
export async function runToTheEnd(run: (io: ProgramIo) => Promise<number>): Promise<void> {
  giveBackFreeMemory();
  const io = processIo();
  // A program that was asked to stop may wait in vain, for example for a server that never answered.
  process.once('beforeExit', () => process.exit(io.signal.aborted ? 0 : 1));
  const exitStatus = await run(io);
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(exitStatus);
}

const written = (output: Writable): Promise<void> =>
  new Promise((resolve) => output.write('', () => resolve()));
