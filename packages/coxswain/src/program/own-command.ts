/** How this program is started once more. */

import { isSea } from 'node:sea';

type Command = readonly [program: string, ...args: string[]];

/** As it was started itself, without its arguments. */
export const ownCommand = (): Command =>
  isSea() ? [process.execPath] : [process.execPath, ...process.execArgv, process.argv[1] ?? ''];

/** @param script that Node runs; an executable of its own needs none */
export const commandOf = (flags: readonly string[], script: string): Command =>
  isSea() ? [process.execPath] : [process.execPath, ...flags, script];
