/**
 * Combines lines of concurrent requests into one write: a system call for each would cost as much as the request that
 * it records. Lines are in the file before the responses leave, which over HTTP/2 happens in the next phase of the
 * event loop; over HTTP/1.1 a response that had to be awaited may leave some microseconds earlier.
 */
import type { LineWriter } from '@coxswain/apiserver/audit/backends/log-backend.ts';

/** The maximum number of waiting characters. */
const waitingMax = 256 * 1024;

export class JoinedLines implements LineWriter {
  readonly #out: LineWriter;
  readonly #failed: (failure: unknown, lines: string) => void;
  #waiting = '';
  #isPlanned = false;

  /** @param failed called with lines that could not be written */
  constructor(out: LineWriter, failed: (failure: unknown, lines: string) => void) {
    this.#out = out;
    this.#failed = failed;
  }

  /** @throws Error when a line too long to wait cannot be written */
  write(lines: string): void {
    if (this.#waiting.length + lines.length > waitingMax) this.#writeOut();
    if (lines.length > waitingMax) return this.#out.write(lines);
    this.#waiting += lines;
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    process.nextTick(() => this.#writeOut());
  }

  async flush(): Promise<void> {
    this.#writeOut();
    await this.#out.flush();
  }

  #writeOut(): void {
    this.#isPlanned = false;
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines === '') return;
    try {
      this.#out.write(lines);
    } catch (failure) {
      this.#failed(failure, lines);
    }
  }
}
