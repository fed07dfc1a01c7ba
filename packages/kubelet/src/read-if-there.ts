/** Reads a file that need not exist. */
import { readFile } from 'node:fs/promises';

/** Undefined if there is no such file. @throws the operating system's error if it can't be read */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
