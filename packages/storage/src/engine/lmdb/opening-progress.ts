import type { Clock } from '@coxswain/apimachinery';

/** A start is expected to take less; then it tells what it is at, as often. */
const tellEveryMs = 2_000;

/** Tells of an opening that takes long. It has no timer: opening a store holds the process until it is done. */
export class OpeningProgress {
  readonly #directory: string;
  readonly #log: (line: string) => void;
  readonly #clock: Clock;
  readonly #startMs: number;
  #toldMs: number;

  constructor(directory: string, log: (line: string) => void, clock: Clock) {
    this.#directory = directory;
    this.#log = log;
    this.#clock = clock;
    this.#startMs = this.#toldMs = clock.monotonic();
  }

  /** To be called every so often. `done` of `all`, where somebody knows. */
  at(what: string, done?: number, all?: number): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#toldMs < tellEveryMs) return;
    this.#toldMs = nowMs;
    const share = done === undefined || !all ? '' : `, ${Math.floor((100 * done) / all)} %`;
    const seconds = Math.round((nowMs - this.#startMs) / 1000);
    this.#log(`opening ${this.#directory} takes long: ${what}${share} (${seconds} s so far)`);
  }
}
