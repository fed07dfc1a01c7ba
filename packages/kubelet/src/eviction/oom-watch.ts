/** Processes of the machine itself that the kernel has killed for want of memory, as its own log tells. */
import { closeSync, constants, openSync, readSync } from 'node:fs';

export interface SystemOom {
  readonly process: string;
  readonly pid: number;
  /** Seconds since the machine started. */
  readonly atSeconds: number;
}

/** What a record of the kernel's log tells of a killed process that is in no container. */
export function systemOomOf(record: string): SystemOom | undefined {
  const [head = '', text = ''] = record.split(';', 2);
  const killed = /oom-kill:.*,task_memcg=([^,]*),task=([^,]*),pid=(\d+)/.exec(text);
  if (killed === null || killed[1] !== '/') return undefined;
  return { process: killed[2]!, pid: Number(killed[3]), atSeconds: Number(head.split(',')[2] ?? 0) / 1e6 };
}

export const systemOomText = ({ process, pid }: SystemOom): string =>
  `System OOM encountered, victim process: ${process}, pid: ${pid}`;

/** One record at most is that long. */
const recordBytesMax = 8192;
/** So that a log that fills faster than it is read ends. */
const recordsMax = 10_000;

/** Reads on from where it was; what was there before it was made is skipped. Nothing where it may not be read. */
export class KernelLog {
  readonly #file: number | undefined;
  readonly #buffer = Buffer.alloc(recordBytesMax);

  constructor(path = '/dev/kmsg') {
    this.#file = open(path);
    this.#read();
  }

  systemOoms(): readonly SystemOom[] {
    return this.#read().flatMap((record) => systemOomOf(record) ?? []);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #read(): readonly string[] {
    const records: string[] = [];
    while (this.#file !== undefined && records.length < recordsMax) {
      try {
        const bytes = readSync(this.#file, this.#buffer, 0, recordBytesMax, null);
        if (bytes === 0) break;
        records.push(this.#buffer.toString('utf8', 0, bytes));
      } catch (error) {
        // EPIPE: older records are gone, newer ones follow. All else, EAGAIN above all: nothing more for now.
        if ((error as NodeJS.ErrnoException).code !== 'EPIPE') break;
      }
    }
    return records;
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
