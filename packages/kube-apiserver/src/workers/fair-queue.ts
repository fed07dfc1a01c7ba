import type { Job } from './request-messages.ts';
import type { GivenJob } from './worker-thread.ts';

export interface WaitingJob extends Omit<GivenJob, 'job'> {
  /** Makes the job once a thread is free for it. */
  readonly job: () => Job;
  /** The memory that it holds until then. */
  readonly bytesHeld: number;
  /** The memory that it takes from then on. */
  readonly bytesServed: number;
}

/** Jobs that wait for a thread: urgent ones first, then users take turns. */
export class FairQueue {
  readonly #urgent: WaitingJob[] = [];
  /** By user; after a turn the user moves to the end. */
  readonly #ordinary = new Map<string, JobsOfUser>();
  #bytes = 0;

  push(job: WaitingJob, user: string, isUrgent: boolean): void {
    this.#bytes += job.bytesHeld;
    if (isUrgent) {
      this.#urgent.push(job);
      return;
    }
    const own = this.#ordinary.get(user) ?? { jobs: [], bytes: 0 };
    own.jobs.push(job);
    own.bytes += job.bytesHeld;
    this.#ordinary.set(user, own);
  }

  shift(): WaitingJob | undefined {
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) this.#bytes -= urgent.bytesHeld;
    const next = this.#ordinary.entries().next();
    if (urgent !== undefined || next.done === true) return urgent;
    const [user, own] = next.value;
    this.#ordinary.delete(user);
    return this.#taken(user, own, own.jobs.shift()!);
  }

  /** Removes the latest job of the user whose jobs hold the most memory; urgent ones stay. */
  dropOfLargest(): WaitingJob | undefined {
    let largest: [string, JobsOfUser] | undefined;
    for (const entry of this.#ordinary) if (entry[1].bytes > (largest?.[1].bytes ?? 0)) largest = entry;
    if (largest === undefined) return undefined;
    const [user, own] = largest;
    return this.#taken(user, own, own.jobs.pop()!);
  }

  get isEmpty(): boolean {
    return this.#urgent.length === 0 && this.#ordinary.size === 0;
  }

  /** The memory that all waiting jobs hold. */
  get bytesHeld(): number {
    return this.#bytes;
  }

  #taken(user: string, own: JobsOfUser, job: WaitingJob): WaitingJob {
    this.#bytes -= job.bytesHeld;
    own.bytes -= job.bytesHeld;
    if (own.jobs.length > 0) this.#ordinary.set(user, own);
    else this.#ordinary.delete(user);
    return job;
  }
}

interface JobsOfUser {
  readonly jobs: WaitingJob[];
  bytes: number;
}
