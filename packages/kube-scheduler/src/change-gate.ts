/**
 * Lets changes pass, or holds them back in order while a search that waits for extenders needs an unchanging cluster.
 */
export class ChangeGate {
  #kept: (() => void)[] | undefined;
  #work: Promise<void> | undefined;

  /** The work that it is closed for; never rejects. */
  get work(): Promise<void> | undefined {
    return this.#work;
  }

  /** Makes the change now, or when the gate opens. */
  pass(change: () => void): void {
    if (this.#kept === undefined) change();
    else this.#kept.push(change);
  }

  /** Remains closed until the work has settled. Only one at a time is supported. */
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
