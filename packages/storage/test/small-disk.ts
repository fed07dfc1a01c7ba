import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Makes it larger or smaller, or makes it refuse all writes. */
  remount(options: string): void;
  remove(): void;
}

/** A file system of this size; undefined if this process may not mount one. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  return {
    folder,
    remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, folder]),
    remove() {
      // The store's mappings are released when it is closed.
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}
