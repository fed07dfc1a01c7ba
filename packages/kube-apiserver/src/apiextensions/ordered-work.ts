/** Work on named objects, one piece at a time and in order; what fails is tried again, each time after a longer delay. */
import {
  here,
  runStep,
  scopeOf,
  type Cause,
  type Clock,
  type StepObserver,
  type Timer,
} from '@coxswain/apimachinery';

export interface OrderedWorkParts {
  /** The object whose methods do the work. */
  readonly owner: object;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly observer: StepObserver | undefined;
}

/** The delays of the original's queues. */
const retryMsMin = 5;
const retryMsMax = 1000_000;

export class OrderedWork {
  readonly #parts: OrderedWorkParts;
  /** By component and name: the next attempt of work that failed. */
  readonly #retries = new Map<string, { readonly timer: Timer; readonly delayMs: number }>();
  #last: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: OrderedWorkParts) {
    this.#parts = parts;
  }

  add(component: string, name: string, work: (name: string) => Promise<void>): void {
    const cause = this.#parts.observer?.causeOf?.(name);
    this.#last = this.#last.then(() => this.#run(component, name, work, cause === undefined ? [] : [cause]));
  }

  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#retries.values()) timer.cancel();
  }

  async #run(
    component: string,
    name: string,
    work: (name: string) => Promise<void>,
    causes: readonly Cause[],
  ): Promise<void> {
    if (this.#isStopped) return;
    const { owner, clock, log, observer } = this.#parts;
    const key = `${component}/${name}`;
    const before = this.#retries.get(key);
    before?.timer.cancel();
    const scope = scopeOf(observer, () => ({ kind: 'reconcile', component, name, causes }));
    try {
      await runStep(scope, here`reconcile`, () => work.call(owner, name), undefined, work);
      this.#retries.delete(key);
    } catch (failure) {
      if (this.#isStopped) return;
      log(`custom resources: ${String(failure)}`);
      const delayMs = before === undefined ? retryMsMin : Math.min(before.delayMs * 2, retryMsMax);
      const timer = clock.after(delayMs, () => this.add(component, name, work), { idle: true });
      this.#retries.set(key, { timer, delayMs });
    }
  }
}
