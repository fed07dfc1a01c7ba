/** Whether everything that a command or a script starts is known. */
import { isBuiltin, isKnownProgram } from './shell-names.ts';
import { programsOf, programsOfCommandLine } from './script-programs.ts';
import { parseScript } from './shell-syntax.ts';

/** The programs that a script runs; undefined unless the shell supports everything in the script. */
export function programsKnownIn(script: string): readonly string[] | undefined {
  try {
    const names = [...programsOf(parseScript(script))];
    return areKnown(names) ? names : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a program is known, and also what it starts. */
export function isKnownCommandLine(argv: readonly string[]): boolean {
  try {
    return areKnown([...programsOfCommandLine(argv)]);
  } catch {
    return false;
  }
}

const areKnown = (names: readonly (string | undefined)[]): names is readonly string[] =>
  names.every((name) => name !== undefined && (isBuiltin(name) || isKnownProgram(name)));
