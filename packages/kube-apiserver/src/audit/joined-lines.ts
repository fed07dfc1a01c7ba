/**
 * Lines of requests that came together, written together: a call of the operating system for each would cost as
 * much as the request that it tells of. They are in the file before the answers leave, which over HTTP/2 is in the
 * next phase of the event loop; over HTTP/1.1 one that somebody had to wait for may be some microseconds before.
 */
import type { LineWriter } from '@coxswain/apiserver/audit/backends/log-backend.ts';

/** Characters that wait at most. */
const waitingMax = 256 * 1024;

export class JoinedLines implements LineWriter {
  readonly #out: LineWriter;
  readonly #failed: (failure: unknown, lines: string) => void;
  #waiting = '';
  #isPlanned = false;

  /** @param failed hears of lines that could not be written */
  constructor(out: LineWriter, failed: (failure: unknown, lines: string) => void) {
    this.#out = out;
    this.#failed = failed;
  }

  /** @throws Error when what is too long to wait can't be written */
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
