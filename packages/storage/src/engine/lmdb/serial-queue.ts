/** Runs tasks one after the other, in order of arrival. */
export class SerialQueue {
  #last: Promise<unknown> | undefined;

  run<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = before === undefined ? task() : before.then(task, task);
    this.#last = mine;
    const leave = (): void => {
      if (this.#last === mine) this.#last = undefined;
    };
    mine.then(leave, leave);
    return mine;
  }
}
