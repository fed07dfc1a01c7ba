/** The life of a process: one program, then its exit status. */

import type { Writable } from 'node:stream';
import { giveBackFreeMemory } from './free-memory.ts';
import { processIo, type ProgramIo } from './program-io.ts';

/**
 * The process ends with its program, as in the original: a port that a failed start left open, or a timer that somebody
 * forgot, does not keep it. Output that is still being written is let out.
 */
export async function runToTheEnd(run: (io: ProgramIo) => Promise<number>): Promise<void> {
  giveBackFreeMemory();
  const io = processIo();
  // Told to stop, a program may wait for what does not come any more, such as a server that never answered.
  process.once('beforeExit', () => process.exit(io.signal.aborted ? 0 : 1));
  const exitStatus = await run(io);
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(exitStatus);
}

const written = (output: Writable): Promise<void> =>
  new Promise((resolve) => output.write('', () => resolve()));
