/**
 * Lines of one turn of the event loop, written together: a call of the operating system for each would cost as
 * much as the request that it tells of. They are in the file before the next turn takes in requests.
 */
import type { LineWriter } from '@coxswain/apiserver/audit/backends/log-backend.ts';

/** Characters that wait at most. */
const waitingMax = 256 * 1024;

export class JoinedLines implements LineWriter {
  readonly #out: LineWriter;
  readonly #failed: (failure: unknown) => void;
  #waiting = '';
  #isPlanned = false;

  /** @param failed hears of lines that could not be written */
  constructor(out: LineWriter, failed: (failure: unknown) => void) {
    this.#out = out;
    this.#failed = failed;
  }

  write(lines: string): void {
    this.#waiting += lines;
    if (this.#waiting.length > waitingMax) return this.#writeOut();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#writeOut());
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
      this.#failed(failure);
    }
  }
}
