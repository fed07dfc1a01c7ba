import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bufferBytes = 1024 * 1024;

/** A temporary file, readable by its owner only, for bytes that are written now and read later. Removed by `close`. */
export class Spool {
  readonly #directory: string;
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #buffered = 0;
  #written = 0;

  constructor(parent: string = tmpdir()) {
    this.#directory = mkdtempSync(join(parent, 'spool-'));
    this.#file = openSync(join(this.#directory, 'bytes'), 'w+', 0o600);
  }

  get bytes(): number {
    return this.#written + this.#buffered;
  }

  /** Returns their position. */
  append(bytes: Uint8Array): number {
    const at = this.bytes;
    if (this.#buffered + bytes.length > bufferBytes) this.#flush();
    if (bytes.length > bufferBytes) {
      this.#written += writeAll(this.#file, bytes, this.#written);
      return at;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
    return at;
  }

  /** Overwrites existing bytes. */
  overwrite(at: number, bytes: Uint8Array): void {
    this.#flush();
    writeAll(this.#file, bytes, at);
  }

  read(at: number, length: number): Buffer {
    this.#flush();
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const count = readSync(this.#file, bytes, done, length - done, at + done);
      if (count === 0) throw new Error('the spool is shorter than what was written');
      done += count;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    this.#written += writeAll(this.#file, this.#buffer.subarray(0, this.#buffered), this.#written);
    this.#buffered = 0;
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number): number {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
  return bytes.length;
}
