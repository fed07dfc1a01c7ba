/**
 * The entry point of every executable. An upstream program (`kubectl`, `kube-apiserver`, …) is loaded and run on its
 * own; everything else is a command of `coxswain` itself.
 */

import module from 'node:module';
import { programs } from './program/programs.ts';
import { runToTheEnd } from './program/run-to-the-end.ts';

/**
 * Runs to the end and sets the exit status. @param calledAs the name of the executable, which may be that of a program
 */
export async function runMain(given: readonly string[], calledAs = ''): Promise<void> {
  const args = Object.hasOwn(programs, calledAs) ? [calledAs, ...given] : given;
  // Available since Node 22.8.
  module.enableCompileCache?.();
  await runToTheEnd(async (io) => {
    const called = calledProgram(args);
    if (called !== undefined) return (await called.program.load())(called.args, io);
    const { runCoxswain } = await import('./commands/root.ts');
    return runCoxswain(args, io);
  });
}

/** Finds an upstream program; also for completion requests, which the program itself answers. */
function calledProgram(args: readonly string[]) {
  const asked = args[0]?.startsWith('__complete') === true && args.length > 2 ? args.slice(0, 1) : [];
  const [name = '', ...rest] = args.slice(asked.length);
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  return program && { program, args: [...asked, ...rest] };
}
