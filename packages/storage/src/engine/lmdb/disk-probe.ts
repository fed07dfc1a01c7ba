import { closeSync, constants, openSync, rmSync, write } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from './durability.ts';

const page = Buffer.alloc(4096);

/**
 * Checks that a directory's disk accepts writes before LMDB writes: LMDB refuses all writes after an error, and lmdb-js
 * 3.5.6 overflows a buffer when it reports a page that could not be written, which may crash the process.
 */
export class DiskProbe {
  readonly #path: string;
  readonly #flags: number;
  #descriptor: number | undefined;

  constructor(directory: string, durability: Durability) {
    this.#path = join(directory, 'probe');
    const { O_RDWR, O_CREAT, O_DSYNC } = constants;
    this.#flags = O_RDWR | O_CREAT | (durability === 'sync' ? O_DSYNC : 0);
  }

  /** @throws the operating system's error */
  async mustTakeWrites(): Promise<void> {
    const descriptor = (this.#descriptor ??= openSync(this.#path, this.#flags, 0o600));
    const written = await new Promise<number>((resolve, reject) => {
      write(descriptor, page, 0, page.length, 0, (failure, bytes) =>
        failure === null ? resolve(bytes) : reject(failure),
      );
    });
    if (written < page.length) throw new Error('no space left on device');
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#path, { force: true });
  }
}
