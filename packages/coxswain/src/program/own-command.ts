/** How this program is started once more. */

import { isSingleExecutable } from './single-executable.ts';

type Command = readonly [program: string, ...args: string[]];

/** As it was started itself, without its arguments. */
export const ownCommand = (): Command =>
  isSingleExecutable() ? [process.execPath] : [process.execPath, ...process.execArgv, process.argv[1] ?? ''];

/** @param script that Node runs; an executable of its own needs none */
export const commandOf = (flags: readonly string[], script: string): Command =>
  isSingleExecutable() ? [process.execPath] : [process.execPath, ...flags, script];
