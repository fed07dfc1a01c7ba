import type { Clock } from '@coxswain/apimachinery';

/** A start that takes longer reports its progress at this interval. */
const reportEveryMs = 2_000;

/** Reports the progress of a slow opening. It has no timer, since opening a store blocks the process. */
export class OpeningProgress {
  readonly #directory: string;
  readonly #log: (line: string) => void;
  readonly #clock: Clock;
  readonly #startMs: number;
  #reportedMs: number;

  constructor(directory: string, log: (line: string) => void, clock: Clock) {
    this.#directory = directory;
    this.#log = log;
    this.#clock = clock;
    this.#startMs = this.#reportedMs = clock.monotonic();
  }

  /** To be called periodically. `done` of `all`, if known. */
  at(what: string, done?: number, all?: number): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#reportedMs < reportEveryMs) return;
    this.#reportedMs = nowMs;
    const share = done === undefined || !all ? '' : `, ${Math.floor((100 * done) / all)} %`;
    const seconds = Math.round((nowMs - this.#startMs) / 1000);
    this.#log(`opening ${this.#directory} takes long: ${what}${share} (${seconds} s so far)`);
  }
}
