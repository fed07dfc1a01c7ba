/**
 * Simulates the content of a disk after a power failure. A writer runs under strace, which records every write to the
 * files of the store, every sync, and every line in which the writer reports an acknowledgement, in order. Then images
 * of the disk are made for random moments of that record: everything that was synced before; of the rest, a random
 * choice of its sectors, as a disk with a cache may have kept them, and sometimes a write that is torn at any byte. On
 * each image the store must have everything that was acknowledged before that moment.
 *
 * This shows that the order of writes and syncs is right for a disk that honors syncs and writes sectors atomically. It
 * does not show that the disk and its driver do.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seededRandom, type Random } from '@coxswain/apimachinery';
import { noteAcknowledged, type Acknowledged } from './acknowledged.ts';
import { parseTrace, type DiskStep } from './trace.ts';

/** What a disk writes atomically. */
const sectorBytes = 512;
/** The writer is stopped after this many reported writes, however long they take. */
const reportedEnough = 100;
/** The fraction of unsynced writes that are torn at any byte. */
const tornShare = 0.3;

export interface PowerLosses {
  /** The number of images to check. */
  readonly rounds: number;
  readonly seed: number;
  readonly directory: string;
  /** Simulates a disk that ignores syncs, to show that this test can fail. */
  readonly isLying?: boolean;
}

export interface PowerLossOutcome {
  readonly writes: number;
  readonly syncs: number;
  readonly acknowledged: number;
  /** The number of images on which acknowledged data was missing, or the store was unusable. */
  readonly failed: number;
  readonly failures: readonly string[];
}

export async function powerLosses(settings: PowerLosses): Promise<PowerLossOutcome> {
  const { rounds, seed, directory, isLying = false } = settings;
  const trace = await record(directory);
  const steps = await parseTrace(createInterface({ input: createReadStream(trace) }));
  const random = seededRandom(seed);
  const moments = Array.from({ length: rounds }, () => Math.floor(random.next() * steps.length));
  const failures: string[] = [];
  const disk = new Disk(isLying);
  const image = join(directory, 'image');
  let at = 0;
  for (const moment of moments.sort((a, b) => a - b)) {
    for (; at < moment; at++) disk.take(steps[at]!);
    rmSync(image, { recursive: true, force: true });
    mkdirSync(image);
    for (const [file, bytes] of disk.afterLossOfPower(random)) writeFileSync(join(image, file), bytes);
    const failure = checkApart(image, disk.acknowledged);
    if (failure !== undefined) failures.push(`at step ${moment} of ${steps.length}: ${failure}`);
  }
  const count = (kind: DiskStep['kind']) => steps.filter((step) => step.kind === kind).length;
  return {
    writes: count('write'),
    syncs: count('sync'),
    acknowledged: count('reported'),
    failed: failures.length,
    failures: failures.slice(0, 5),
  };
}

/** In a process of its own, since LMDB aborts the process on impossible states. Returns the problem. */
function checkApart(image: string, acknowledged: Acknowledged): string | undefined {
  const check = spawnSync(process.execPath, [join(import.meta.dirname, 'check-image.ts'), image], {
    input: JSON.stringify([...acknowledged]),
  });
  if (check.status === 0) return undefined;
  return (
    check.stdout.toString().split('\n')[0] ||
    `LMDB has ended the process: ${check.stderr.toString().split('\n')[0]}`
  );
}

/** Runs a writer under strace. Returns the path of strace's output. */
async function record(directory: string): Promise<string> {
  const trace = join(directory, 'trace');
  const store = join(directory, 'store');
  const calls = 'trace=openat,close,pwrite64,pwritev,writev,lseek,write,fdatasync,fsync,ftruncate,rename';
  const args = ['-f', '-e', calls, '-e', 'signal=none', '-xx', '-s', '16777216', '-o', trace, '--'];
  const program = [process.execPath, join(import.meta.dirname, 'plain-writer.ts'), store];
  const tracer = spawn('strace', [...args, ...program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => tracer.on('close', () => resolve()));
  let reported = 0;
  tracer.stdout.on('data', (lines: Buffer) => {
    reported += lines.toString().split('\n').length - 1;
    // The writer ends when its input does.
    if (reported >= reportedEnough) tracer.stdin.end();
  });
  await ended;
  if (!existsSync(trace)) throw new Error('strace has recorded nothing');
  return trace;
}

/** Files as the program sees them, and as they certainly are on disk. */
class Disk {
  readonly acknowledged: Acknowledged = new Map();
  readonly #isLying: boolean;
  readonly #files = new Map<string, DiskFile>();

  constructor(isLying: boolean) {
    this.#isLying = isLying;
  }

  take(step: DiskStep): void {
    if (step.kind === 'reported') noteAcknowledged([step.line], this.acknowledged);
    else if (step.kind === 'rename') this.#rename(step);
    else if (step.kind === 'write') this.#file(step.file).write(step);
    else if (!this.#isLying) this.#file(step.file).sync(step.at);
  }

  afterLossOfPower(random: Random): Map<string, Buffer> {
    return new Map([...this.#files].map(([name, file]) => [name, file.afterLossOfPower(random)]));
  }

  #rename({ file, to }: { readonly file: string; readonly to: string }): void {
    this.#files.set(to, this.#file(file));
    this.#files.delete(file);
  }

  #file(name: string): DiskFile {
    const file = this.#files.get(name) ?? new DiskFile();
    this.#files.set(name, file);
    return file;
  }
}

interface UnsafeWrite {
  readonly at: number;
  readonly bytes: Buffer;
}

class DiskFile {
  #safe = Buffer.alloc(0);
  #unsafe: UnsafeWrite[] = [];

  write(step: UnsafeWrite): void {
    this.#unsafe.push(step);
  }

  /** Everything, or what was written at `at`. */
  sync(at: number | undefined): void {
    const isSafe = (write: UnsafeWrite): boolean => at === undefined || write.at === at;
    for (const write of this.#unsafe.filter(isSafe)) this.#safe = written(this.#safe, write.at, write.bytes);
    this.#unsafe = this.#unsafe.filter((write) => !isSafe(write));
  }

  afterLossOfPower(random: Random): Buffer {
    const ends = this.#unsafe.map(({ at, bytes }) => at + bytes.length);
    const image = Buffer.alloc(ends.reduce((end, other) => Math.max(end, other), this.#safe.length));
    let length = this.#safe.copy(image);
    const write = (at: number, bytes: Buffer): void => {
      bytes.copy(image, at);
      length = Math.max(length, at + bytes.length);
    };
    const share = random.next();
    for (const { at, bytes } of this.#unsafe) {
      if (random.next() < tornShare) {
        write(at, bytes.subarray(0, Math.floor(random.next() * (bytes.length + 1))));
        continue;
      }
      // Sectors are aligned to the disk, not to the write.
      for (let from = 0; from < bytes.length; from += sectorBytes - ((at + from) % sectorBytes)) {
        const until = from + sectorBytes - ((at + from) % sectorBytes);
        if (random.next() < share) write(at + from, bytes.subarray(from, until));
      }
    }
    return image.subarray(0, length);
  }
}

/** `file` with `bytes` at `at`; changed in place if it is long enough. */
function written(file: Buffer, at: number, bytes: Buffer): Buffer<ArrayBuffer> {
  const end = at + bytes.length;
  const whole = (
    file.length >= end ? file : Buffer.concat([file, Buffer.alloc(end - file.length)])
  ) as Buffer<ArrayBuffer>;
  whole.set(bytes, at);
  return whole;
}
