/** Lets the user change a text in an editor. */
import { readFile, rm } from 'node:fs/promises';
import type { CommandContext } from '../context.ts';
import { temporaryFile } from '../temporary-files.ts';

export interface Edited {
  readonly text: string;
  /** The file, left where it is. */
  readonly path: string;
}

/** @throws Error when the editor can't be run or fails */
export async function editText(context: CommandContext, text: string, extension: string): Promise<Edited> {
  const { io } = context;
  const editor = io.env['KUBE_EDITOR'] || io.env['EDITOR'] || 'vi';
  const path = await temporaryFile(io, 'kubectl-edit-', extension, text);
  const failed = new Error(`there was a problem with the editor ${JSON.stringify(editor)}`);
  if (io.spawn === undefined) throw new Error('no editor can be run here');
  // A command with arguments goes through the shell, as its user wrote it.
  const [command, args] = /["\s]/.test(editor)
    ? ['/bin/sh', ['-c', `${editor} ${quote(path)}`]]
    : [editor, [path]];
  const code = await io.spawn(command as string, args as string[]).catch(() => {
    throw failed;
  });
  if (code !== 0) throw failed;
  return { text: await readFile(path, 'utf8'), path };
}

const quote = (path: string): string => `"${path.replaceAll(/(["\\$`])/g, '\\$1')}"`;

export const forget = (edited: Edited): Promise<void> => rm(edited.path, { force: true });
