/**
 * A disk whose faults can be chosen at any moment: a library that is preloaded before a process's C library
 * (`faulty-disk.c`).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In the order of `faulty-disk.c`. */
export const diskFaults = [
  'well',
  'io-error',
  'sync-error',
  'meta-error',
  'log-error',
  'read-only',
  'full',
  'slow',
  'stopped',
  'short',
] as const;
export type DiskFault = (typeof diskFaults)[number];

export interface FaultyDisk {
  readonly directory: string;
  /** The environment of a process that uses the disk. */
  readonly environment: Readonly<Record<string, string>>;
  set(fault: DiskFault, delayMs?: number): void;
  remove(): void;
}

/** Undefined without Linux or a C compiler. */
export function faultyDisk(): FaultyDisk | undefined {
  if (process.platform !== 'linux') return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-faulty-'));
  const library = join(directory, 'faulty-disk.so');
  const source = join(import.meta.dirname, 'faulty-disk.c');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  const control = join(directory, 'fault');
  writeFileSync(control, Buffer.alloc(4096));
  const descriptor = openSync(control, 'r+');
  return {
    directory,
    environment: { LD_PRELOAD: library, FAULTY_DISK: control, FAULTY_DISK_FILES: join(directory, 'data') },
    set(fault, delayMs = 0) {
      writeSync(descriptor, Buffer.from([diskFaults.indexOf(fault), Math.ceil(delayMs / 10)]), 0, 2, 0);
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
