/**
 * Entry of every executable. A program of the original (`kubectl`, `kube-apiserver`, …) is loaded and run
 * alone; everything else is a command of `coxswain` itself.
 */

import { enableCompileCache } from 'node:module';
import { giveBackFreeMemory } from './free-memory.ts';
import { processIo } from './program-io.ts';
import type { RunProgram } from './programs.ts';
import { programs } from './programs.ts';

/** Runs to the end and sets the exit status; output that is still being written is let out. */
export async function runMain(args: readonly string[]): Promise<void> {
  enableCompileCache();
  giveBackFreeMemory();
  const program = programs[args[0] ?? ''];
  const run: RunProgram =
    program === undefined ? (await import('./commands/root.ts')).runCoxswain : await program.load();
  const io = processIo();
  process.exitCode = await run(program === undefined ? args : args.slice(1), io);
  // Who was told to stop and has stopped is not kept by a timer that somebody forgot.
  if (io.signal.aborted) process.stdout.write('', () => process.exit());
}
