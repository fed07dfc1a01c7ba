/**
 * A rotating log file: when `audit.log` is full it becomes `audit-2026-01-02T03-04-05.678.log`, which is compressed if
 * configured, and removed when it is too old or there are too many.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '@coxswain/apimachinery';
import type { LineWriter } from '@coxswain/apiserver/audit/backends/log-backend.ts';

export interface RotationSettings {
  readonly path: string;
  /** 0: unlimited. */
  readonly megabytesMax: number;
  /** In days; 0: unlimited. */
  readonly daysMax: number;
  /** The maximum number of rotated files; 0: unlimited. */
  readonly backupsMax: number;
  readonly compresses: boolean;
}

const bytesInMegabyte = 1024 * 1024;
const msInDay = 24 * 60 * 60 * 1000;

/** Lines of at most this encoded size use the preallocated buffer. */
const encodedBytesMax = 192 * 1024;
/** The maximum UTF-8 bytes per UTF-16 code unit. */
const bytesPerUnitMax = 3;

/** Only the server's user may read the log. */
const fileMode = 0o600;
const directoryMode = 0o700;

export class RotatingFile implements LineWriter {
  readonly #settings: RotationSettings;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #encoded = Buffer.allocUnsafeSlow(encodedBytesMax);
  #descriptor: number;
  #bytes: number;
  /** Devices and pipes are never rotated: `/dev/null` belongs to everybody. */
  readonly #bytesMax: number;
  #tidying: Promise<void> = Promise.resolve();

  /** @throws Error of the file system when the file can't be written */
  constructor(settings: RotationSettings, clock: Clock, log: (line: string) => void) {
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    makeDirectory(dirname(settings.path));
    this.#descriptor = openSync(settings.path, 'a', fileMode);
    const status = fstatSync(this.#descriptor);
    this.#bytes = status.size;
    this.#bytesMax = status.isFile() ? settings.megabytesMax * bytesInMegabyte : 0;
  }

  write(lines: string): void {
    const bytesMax = this.#bytesMax;
    const encoded = this.#encode(lines);
    const bytes = encoded.length;
    if (bytesMax > 0) {
      if (bytes > bytesMax) {
        throw new Error(`write length ${bytes} exceeds maximum file size ${bytesMax}`);
      }
      if (this.#bytes + bytes > bytesMax) this.#rotate();
    }
    for (let written = 0; written < bytes;) {
      written += writeSync(this.#descriptor, encoded, written, bytes - written);
    }
    this.#bytes += bytes;
  }

  async flush(): Promise<void> {
    await this.#tidying;
  }

  /** Valid until the next call. */
  #encode(lines: string): Uint8Array {
    if (lines.length * bytesPerUnitMax > encodedBytesMax) return Buffer.from(lines);
    return this.#encoded.subarray(0, this.#encoded.write(lines, 'utf8'));
  }

  #rotate(): void {
    const { path } = this.#settings;
    closeSync(this.#descriptor);
    renameSync(path, backupName(path, this.#clock.now()));
    this.#descriptor = openSync(path, 'a', fileMode);
    this.#bytes = 0;
    this.#tidying = this.#tidying
      .then(() => this.#tidy())
      .catch((failure: unknown) => this.#log(`audit log ${path}: ${String(failure)}`));
  }

  async #tidy(): Promise<void> {
    const { path, backupsMax, daysMax, compresses } = this.#settings;
    const oldestMs = daysMax > 0 ? this.#clock.now() - daysMax * msInDay : 0;
    const backups = backupsOf(path).sort((a, b) => b.atMs - a.atMs);
    for (const [index, { file, atMs }] of backups.entries()) {
      const tooMany = backupsMax > 0 && index >= backupsMax;
      if (tooMany || atMs < oldestMs) rmSync(file);
      else if (compresses && !file.endsWith('.gz')) await compress(file);
    }
  }
}

/** Node's recursive mkdir never returns where the system answers ENOENT, as below /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path, { mode: directoryMode });
}

async function compress(file: string): Promise<void> {
  await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`, { mode: fileMode }));
  rmSync(file);
}

function backupName(path: string, atMs: number): string {
  const extension = extname(path);
  const time = new Date(atMs).toISOString().slice(0, -1).replaceAll(':', '-');
  return join(dirname(path), `${basename(path, extension)}-${time}${extension}`);
}

function backupsOf(path: string): { file: string; atMs: number }[] {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  return readdirSync(dirname(path)).flatMap((name) => {
    const plain = name.endsWith('.gz') ? name.slice(0, -3) : name;
    if (!plain.startsWith(prefix) || !plain.endsWith(extension)) return [];
    const atMs = timeOf(plain.slice(prefix.length, plain.length - extension.length));
    return Number.isNaN(atMs) ? [] : [{ file: join(dirname(path), name), atMs }];
  });
}

/** Parses `2026-01-02T03-04-05.678`; NaN for anything else. */
function timeOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text);
  return match === null ? Number.NaN : Date.parse(`${match[1]}:${match[2]}:${match[3]}Z`);
}
