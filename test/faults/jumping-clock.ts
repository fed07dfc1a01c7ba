/** A time of day that jumps, for chosen processes: a library before their C library (`jumping-clock.c`). */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface JumpingClock {
  /** With which a process has this clock. */
  readonly env: Readonly<Record<string, string>>;
  /** By how much it differs from the machine's from now on. */
  set(seconds: number): void;
  remove(): void;
}

/** @returns the reason where there can be none */
export function jumpingClock(): JumpingClock | string {
  if (process.platform !== 'linux') return 'there is no Linux';
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-clock-'));
  const library = join(directory, 'jumping-clock.so');
  const source = join(import.meta.dirname, 'jumping-clock.c');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    rmSync(directory, { recursive: true });
    return 'there is no C compiler';
  }
  const control = join(directory, 'seconds');
  writeFileSync(control, Buffer.alloc(4096));
  const descriptor = openSync(control, 'r+');
  return {
    env: { LD_PRELOAD: library, JUMPING_CLOCK: control },
    set(seconds) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(seconds));
      writeSync(descriptor, bytes, 0, bytes.length, 0);
    },
    remove() {
      closeSync(descriptor);
      rmSync(directory, { recursive: true });
    },
  };
}
