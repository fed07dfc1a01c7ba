/** The command that starts this program again. */

import { isSingleExecutable } from './single-executable.ts';

type Command = readonly [program: string, ...args: string[]];

/** The command with which it was started itself, without its arguments. */
export const ownCommand = (): Command =>
  isSingleExecutable() ? [process.execPath] : [process.execPath, ...process.execArgv, process.argv[1] ?? ''];

/** @param script the script that Node runs; a single executable needs none */
export const commandOf = (flags: readonly string[], script: string): Command =>
  isSingleExecutable() ? [process.execPath] : [process.execPath, ...flags, script];
