/** Certificate and key files that are named on the command line or embedded in the configuration. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandContext } from '../../context.ts';

export const absolutePath = ({ io }: CommandContext, path: string): string =>
  path === '' ? '' : resolve(io.workingDirectory, path);

/** @throws Error if it doesn't exist */
export function requireFile(context: CommandContext, what: string, path: string): void {
  try {
    statSync(absolutePath(context, path));
  } catch {
    throw new Error(`could not stat ${what} file ${path}: stat ${path}: no such file or directory`);
  }
}

export const fileAsBase64 = (context: CommandContext, path: string): string =>
  readFileSync(absolutePath(context, path)).toString('base64');
