/** The life of a process: one program, then its exit status. */

import { giveBackFreeMemory } from './free-memory.ts';
import { processIo } from './program-io.ts';
import type { ProgramIo } from './program-io.ts';

/** Sets the exit status; output that is still being written is let out. */
export async function runToTheEnd(run: (io: ProgramIo) => Promise<number>): Promise<void> {
  giveBackFreeMemory();
  const io = processIo();
  process.exitCode = await run(io);
  // Who was told to stop and has stopped is not kept by a timer that somebody forgot.
  if (io.signal.aborted) process.stdout.write('', () => process.exit());
}
