import { readFileSync } from 'node:fs';

/** The text of a file. Undefined if there is none. @throws the operating system's error if it can't be read */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
