/** Lets the user edit text in an editor. */
import { readFile, rm } from 'node:fs/promises';
import type { CommandContext } from '../context.ts';
import { temporaryFile } from '../temporary-files.ts';

export interface Edited {
  readonly text: string;
  /** The file, which is left in place. */
  readonly path: string;
}

/** @throws Error if the editor can't be run or fails */
export async function editText(context: CommandContext, text: string, extension: string): Promise<Edited> {
  const { io } = context;
  const editor = io.env['KUBE_EDITOR'] || io.env['EDITOR'] || 'vi';
  const path = await temporaryFile(io, 'kubectl-edit-', extension, text);
  if (io.spawn === undefined) throw new Error('no editor can be run here');
  // An editor command with quotes is parsed by the shell, with the file's path appended.
  const needsShell = /["'\\]/.test(editor) && editor.includes(' ');
  const words = needsShell ? [io.env['SHELL'] || '/bin/bash', '-c', editor] : editor.split(' ');
  const [command = '', ...args] = needsShell
    ? [...words.slice(0, -1), `${editor} ${quote(path)}`]
    : [...words, path];
  const failed = (what: string) => new Error(`${what} the editor ${JSON.stringify(words.join(' '))}`);
  const code = await io.spawn(command, args).catch((failure: NodeJS.ErrnoException) => {
    const isLost = failure.code === 'ENOENT' && !command.includes('/');
    throw failed(isLost ? 'unable to launch' : 'there was a problem with');
  });
  if (code !== 0) throw failed('there was a problem with');
  return { text: await readFile(path, 'utf8'), path };
}

const quote = (path: string): string => `"${path.replaceAll(/(["\\$`])/g, '\\$1')}"`;

export const forget = (edited: Edited): Promise<void> => rm(edited.path, { force: true });
