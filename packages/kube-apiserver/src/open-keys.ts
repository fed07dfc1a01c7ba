/**
 * Warns about keys that every user of the machine can read, but uses them: upstream accepts them silently, and mounted
 * secrets have mode 0644 in containers without other users.
 */
import { statSync } from 'node:fs';

const readableByOthers = 0o004;

/** @param files of secrets; empty names and missing files are skipped */
export function warnOfOpenKeys(files: readonly string[], log: (line: string) => void): void {
  for (const file of files) {
    const found = file === '' ? undefined : statSync(file, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & readableByOthers) === 0) continue;
    const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
    log(`WARNING: ${file} contains a secret and is readable by everyone (mode ${mode})`);
  }
}
