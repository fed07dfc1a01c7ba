/** Waits for changes of a file as the kernel reports them: polling costs a node with many readers its processor. */
import { watch, type FSWatcher } from 'node:fs';
import type { Clock } from '@coxswain/apimachinery';

/** What the kernel does not report: a successor under the same name, or that nobody writes any more. */
const lookMs = 1000;

export class FileChanges {
  readonly #clock: Clock;
  readonly #watcher: FSWatcher | undefined;
  #changed = Promise.withResolvers<void>();

  /** The file that has this name now, even if it is renamed. */
  constructor(path: string, clock: Clock) {
    this.#clock = clock;
    try {
      this.#watcher = watch(path, () => this.#changed.resolve());
      this.#watcher.on('error', () => undefined);
    } catch {
      // Gone, or there are too many watches.
    }
  }

  /** Resolves when the file has changed since the last call, or may have a successor. */
  async next(signal: AbortSignal | undefined): Promise<void> {
    const waiting = new AbortController();
    const over = signal === undefined ? waiting.signal : AbortSignal.any([waiting.signal, signal]);
    await Promise.race([this.#changed.promise, this.#clock.sleep(lookMs, over).catch(() => undefined)]);
    waiting.abort();
    this.#changed = Promise.withResolvers();
  }

  close(): void {
    this.#watcher?.close();
  }
}
