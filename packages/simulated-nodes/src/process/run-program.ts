/** Runs the programs of a simulated container. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { programs } from './programs.ts';
import { isShellName } from './shell-executables.ts';
import { isKnownProgram, ownProgram } from './shell-names.ts';
import { Shell } from './shell.ts';
import { complain, type SimulatedProcess } from './simulated-process.ts';

/** Runs a program as a process of its own; undefined if it is unknown. */
export async function startProgram(process: SimulatedProcess): Promise<number | undefined> {
  if (!isKnownProgram(process.argv[0] ?? '', process.commands)) return undefined;
  try {
    return await process.processes.run(process, runProgram);
  } catch (failure) {
    // Its output goes to a file that cannot be written.
    if (failure instanceof FileFailure) return complain(process, `write error: ${failure.message}`);
    throw failure;
  }
}

/** Runs a known program. */
export async function runProgram(process: SimulatedProcess): Promise<number> {
  const [path = '', ...args] = process.argv;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = ownProgram(path, process.commands);
  if (own !== undefined) return own(process);
  if (!isShellName(name)) return programs[name]!(process);
  const script = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (script >= 0) {
    const shell = new Shell(process, args.slice(script + 2));
    shell.set(args.slice(0, script + 1));
    return shell.runToEnd(args[script + 1] ?? '');
  }
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  if (at < 0) return new Shell(process).interact();
  const file = args[at]!;
  try {
    const bytes = process.files.read(resolvePath(process.place.directory, file));
    return await new Shell(process, args.slice(at)).runToEnd(new TextDecoder().decode(bytes));
  } catch (failure) {
    return complain(process, `${file}: ${messageOf(failure)}`, 127);
  }
}
