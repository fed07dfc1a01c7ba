/** What was acknowledged to writers, and what each watch was told: the second must hold the first, in order. */
export class Ledger {
  readonly #found: string[] = [];
  /** By watch: what it has not been told yet of what was acknowledged since it began. */
  readonly #watches: { last: number; readonly missing: Set<number>; readonly early: Set<number> }[] = [];
  acknowledgedCount = 0;
  watchedCount = 0;

  /** `resourceVersion` was given to a write which all watches have to tell of. */
  acknowledge(resourceVersion: number): void {
    this.acknowledgedCount++;
    for (const watch of this.#watches) {
      if (!watch.early.delete(resourceVersion)) watch.missing.add(resourceVersion);
    }
  }

  /** A watch that begins before the first write. Told what each of its events carries. */
  addWatch(name: string): (resourceVersion: number) => void {
    const watch = { last: 0, missing: new Set<number>(), early: new Set<number>() };
    this.#watches.push(watch);
    return (resourceVersion) => {
      this.watchedCount++;
      if (resourceVersion <= watch.last)
        this.note(`${name}: event ${resourceVersion} came after ${watch.last}`);
      watch.last = resourceVersion;
      // The watch may hear of a write before its writer does.
      if (!watch.missing.delete(resourceVersion)) watch.early.add(resourceVersion);
    };
  }

  note(problem: string): void {
    this.#found.push(problem);
  }

  /** When the last events had time to come. */
  async settled(): Promise<void> {
    for (let waits = 0; waits < 50 && this.#watches.some(({ missing }) => missing.size > 0); waits++) {
      await new Promise<void>((resolve) => void setTimeout(resolve, 100));
    }
  }

  problems(): readonly string[] {
    const lost = this.#watches.flatMap(({ missing }, index) =>
      missing.size === 0
        ? []
        : [`watch ${index} was not told of ${missing.size}: ${[...missing].slice(0, 5)}`],
    );
    return [...this.#found, ...lost];
  }
}
