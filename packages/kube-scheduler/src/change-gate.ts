/** Lets changes pass, or keeps them in their order while a search that waits for others needs the cluster to stand still. */
export class ChangeGate {
  #kept: (() => void)[] | undefined;
  #work: Promise<void> | undefined;

  /** What it is closed for; it never rejects. */
  get work(): Promise<void> | undefined {
    return this.#work;
  }

  /** Makes the change now, or when the gate opens. */
  pass(change: () => void): void {
    if (this.#kept === undefined) change();
    else this.#kept.push(change);
  }

  /** Stays closed until the work has settled. One piece of work at a time. */
  closeFor(work: Promise<void>): void {
    this.#kept = [];
    const open = () => {
      const kept = this.#kept ?? [];
      this.#kept = undefined;
      this.#work = undefined;
      for (const change of kept) change();
    };
    this.#work = work.then(open, open);
  }
}
