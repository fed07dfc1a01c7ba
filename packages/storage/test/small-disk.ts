import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly directory: string;
  /** Makes it larger or smaller, or makes it refuse all writes. */
  remount(options: string): void;
  remove(): void;
}

/** A file system of this size; undefined if this process may not mount one. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    rmdirSync(directory);
    return undefined;
  }
  return {
    directory,
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, directory]),
    remove() {
      // The store's mappings are released when it is closed.
      execFileSync('umount', ['--lazy', directory]);
      rmdirSync(directory);
    },
  };
}
