/** Finds processes of the machine itself that the kernel's OOM killer has ended, from the kernel log. */
import { closeSync, constants, openSync, readSync } from 'node:fs';

export interface SystemOom {
  readonly process: string;
  readonly pid: number;
  /** Seconds since the machine started. */
  readonly atSeconds: number;
}

/** Parses a record of the kernel log about a killed process outside containers. */
export function systemOomOf(record: string): SystemOom | undefined {
  const [head = '', text = ''] = record.split(';', 2);
  const killed = /oom-kill:.*,task_memcg=([^,]*),task=([^,]*),pid=(\d+)/.exec(text);
  if (killed === null || killed[1] !== '/') return undefined;
  return { process: killed[2]!, pid: Number(killed[3]), atSeconds: Number(head.split(',')[2] ?? 0) / 1e6 };
}

export const systemOomText = ({ process, pid }: SystemOom): string =>
  `System OOM encountered, victim process: ${process}, pid: ${pid}`;

/** The maximum length of one record. */
const recordBytesMax = 8192;
/** Ensures that reading ends even if the log fills faster than it is read. */
const recordsMax = 10_000;

/**
 * Continues reading at the last position, starting with records after its creation. Returns nothing if the log may not
 * be read.
 */
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
        // EPIPE: older records were overwritten, newer ones follow. Any other error, usually EAGAIN, means that there
        // is nothing more for now.
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
