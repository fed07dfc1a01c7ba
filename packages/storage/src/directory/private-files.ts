/** Files and directories that only their owner can read, whatever the umask is and whatever existed before. */
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
export const privateDirectoryMode = 0o700;

/**
 * Creates missing parents as well.
 * @throws Error with the operating system's code
 */
export function makePrivateDirectory(directory: string): void {
  makeLevel(resolve(directory));
}

/** Level by level: Node's recursive mkdir never returns in file systems that answer ENOENT, such as /proc. */
function makeLevel(directory: string): void {
  if (existsSync(directory)) return;
  makeLevel(dirname(directory));
  try {
    mkdirSync(directory, { mode: privateDirectoryMode });
  } catch (cause) {
    // Another process created it in the meantime.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}

/**
 * Writes a temporary file and renames it, so that the file is complete or absent, even after a power failure. An
 * existing target that is not a regular file, such as a pipe or a terminal, is written to directly.
 * @throws Error that names the file
 */
export function writePrivateFile(file: string, text: string): void {
  const beside = `${file}.new`;
  try {
    if (isDevice(file)) return writeFileSync(file, text);
    writeFileSync(beside, text, { mode: privateFileMode, flush: true });
    // A temporary file left by a killed process keeps its mode.
    chmodSync(beside, privateFileMode);
    renameSync(beside, file);
  } catch (cause) {
    throw new Error(`cannot write ${file}: ${systemReason(cause)}`, { cause });
  }
}

/** To be called before the content is produced. @throws Error that names the file, as {@link writePrivateFile} */
export function mustBeWritable(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new Error('it is a directory');
    accessSync(isDevice(file) ? file : dirname(resolve(file)), constants.W_OK);
  } catch (cause) {
    throw new Error(`cannot write ${file}: ${systemReason(cause)}`, { cause });
  }
}

/** Whether it exists and is no regular file, such as a pipe or a terminal. */
export function isDevice(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * Removes other users' permissions that an older version or another umask left: from a directory's files whose names
 * match, and from the directory itself unless it contains other files.
 */
export function keepPrivate(directory: string, own: RegExp): void {
  const entries = readdirSync(directory, { withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile() && own.test(entry.name)) tighten(join(directory, entry.name), privateFileMode);
  if (entries.every(({ name }) => own.test(name))) tighten(directory, privateDirectoryMode);
}

function tighten(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // The file belongs to another user; whether it is usable shows when it is used.
  }
}

/** The operating system's reason: `permission denied`; for other errors their message. */
export function systemReason(failure: unknown): string {
  const { errno, message } = failure as NodeJS.ErrnoException;
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? message;
}
