/** The entry point of the servers in `lib/modules.pack`. */

import type { ProgramIo } from './program-io.ts';
import { runToTheEnd } from './run-to-the-end.ts';
import { serverPrograms } from './server-programs.ts';

/** @param args the name of the program, followed by its own arguments */
export const main = ([name, ...args]: readonly string[]): Promise<void> =>
  runToTheEnd(async (io) => runServer([name!, ...args], io));

/** Resolves with the exit status. */
export async function runServer([name, ...args]: readonly string[], io: ProgramIo): Promise<number> {
  const run = await serverPrograms[name as keyof typeof serverPrograms].load();
  return run(args, io);
}
