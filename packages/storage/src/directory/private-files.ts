/** Files and folders that their owner alone may read, whatever the umask is and whatever was there before. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';

export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;

/**
 * With its parents, where they are not there.
 * @throws Error with the code of the operating system
 */
export function makePrivateFolder(folder: string): void {
  makeLevel(resolve(folder));
}

/** Level by level: Node's own recursion never ends in file systems that deny what they contain, such as /proc. */
function makeLevel(folder: string): void {
  if (existsSync(folder)) return;
  makeLevel(dirname(folder));
  try {
    mkdirSync(folder, { mode: privateFolderMode });
  } catch (cause) {
    // Another start made it meanwhile.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}

/**
 * Writes beside and renames, so that the file is there whole or not at all, also after a loss of power. What is there
 * and is no file, such as a pipe or a terminal, is written to.
 * @throws Error that names the file
 */
export function writePrivateFile(file: string, text: string): void {
  const beside = `${file}.new`;
  try {
    if (isDevice(file)) return writeFileSync(file, text);
    writeFileSync(beside, text, { mode: privateFileMode, flush: true });
    // One that a killed process left has the mode that it had.
    chmodSync(beside, privateFileMode);
    renameSync(beside, file);
  } catch (cause) {
    throw new Error(`cannot write ${file}: ${systemReason(cause)}`, { cause });
  }
}

/** To be asked before what is to be written is made. @throws Error that names the file, as {@link writePrivateFile} */
export function mustBeWritable(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new Error('it is a directory');
    accessSync(isDevice(file) ? file : dirname(resolve(file)), constants.W_OK);
  } catch (cause) {
    throw new Error(`cannot write ${file}: ${systemReason(cause)}`, { cause });
  }
}

function isDevice(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * Takes from others what an older version or another umask gave them: of a folder's files those whose names match, and
 * the folder itself, unless it holds anything else besides.
 */
export function keepPrivate(folder: string, own: RegExp): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile() && own.test(entry.name)) tighten(join(folder, entry.name), privateFileMode);
  if (entries.every(({ name }) => own.test(name))) tighten(folder, privateFolderMode);
}

function tighten(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Somebody else's: whether it can be used is told by who uses it.
  }
}

/** Why the operating system refused: `permission denied`; the message of any other error. */
export function systemReason(failure: unknown): string {
  const { errno, message } = failure as NodeJS.ErrnoException;
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message;
}
