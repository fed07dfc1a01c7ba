/**
 * Entry of every executable. A program of the original (`kubectl`, `kube-apiserver`, …) is loaded and run
 * alone; everything else is a command of `coxswain` itself.
 */

import { enableCompileCache } from 'node:module';
import { programs } from './programs.ts';
import { runToTheEnd } from './run-to-the-end.ts';

/** Runs to the end and sets the exit status. */
export async function runMain(args: readonly string[]): Promise<void> {
  enableCompileCache();
  const program = programs[args[0] ?? ''];
  await runToTheEnd(async (io) => {
    if (program !== undefined) return (await program.load())(args.slice(1), io);
    const { runCoxswain } = await import('./commands/root.ts');
    return runCoxswain(args, io);
  });
}
