import type { WaitingJob } from './worker-thread.ts';

/** Jobs that wait for a thread: urgent ones first, then users take turns. */
export class FairQueue {
  readonly #urgent: WaitingJob[] = [];
  /** By user; after a turn the user moves to the end. */
  readonly #ordinary = new Map<string, WaitingJob[]>();

  push(job: WaitingJob, user: string, isUrgent: boolean): void {
    if (isUrgent) {
      this.#urgent.push(job);
      return;
    }
    const jobs = this.#ordinary.get(user);
    if (jobs === undefined) this.#ordinary.set(user, [job]);
    else jobs.push(job);
  }

  shift(): WaitingJob | undefined {
    const urgent = this.#urgent.shift();
    const next = this.#ordinary.entries().next();
    if (urgent !== undefined || next.done === true) return urgent;
    const [user, jobs] = next.value;
    const job = jobs.shift();
    this.#ordinary.delete(user);
    if (jobs.length > 0) this.#ordinary.set(user, jobs);
    return job;
  }

  get isEmpty(): boolean {
    return this.#urgent.length === 0 && this.#ordinary.size === 0;
  }
}
