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
import { exponentialRetry } from '@coxswain/client/queue/failure-back-off.ts';

export interface OrderedWorkParts {
  /** The object whose methods do the work. */
  readonly owner: object;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly observer: StepObserver | undefined;
}

export class OrderedWork {
  readonly #parts: OrderedWorkParts;
  /** By component and name: the next attempt of work that failed. */
  readonly #retries = new Map<string, Timer>();
  readonly #delays = exponentialRetry();
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
    for (const timer of this.#retries.values()) timer.cancel();
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
    this.#retries.get(key)?.cancel();
    this.#retries.delete(key);
    const scope = scopeOf(observer, () => ({ kind: 'reconcile', component, name, causes }));
    try {
      await runStep(scope, here`reconcile`, () => work.call(owner, name), undefined, work);
      this.#delays.forget(key);
    } catch (failure) {
      if (this.#isStopped) return;
      log(`custom resources: ${String(failure)}`);
      const again = () => this.add(component, name, work);
      this.#retries.set(key, clock.after(this.#delays.delayMs(key), again, { idle: true }));
    }
  }
}
