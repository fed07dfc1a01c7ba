/** Determines Retry-After for refused clients: it grows with the number of recent refusals. */
import type { Clock } from '@coxswain/apimachinery';

const retryAfterSecondsMax = 32;

export class DroppedRequests {
  readonly #clock: Clock;
  readonly #levels = new Map<string, LevelDrops>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a refusal. Returns the seconds to wait before a retry. */
  drop(level: string): number {
    let drops = this.#levels.get(level);
    if (drops === undefined) this.#levels.set(level, (drops = new LevelDrops()));
    drops.record(Math.floor(this.#clock.now() / 1000));
    return drops.retryAfterSeconds;
  }
}

interface Second {
  readonly at: number;
  readonly drops: number;
}

class LevelDrops {
  retryAfterSeconds = 1;
  #raisedAt = 0;
  #second = 0;
  #drops = 0;
  #history: readonly Second[] = [];

  /** @param at in seconds since 1970 */
  record(at: number): void {
    if (at === this.#second) {
      this.#drops++;
      return;
    }
    const keptSeconds = Math.min(2 * this.retryAfterSeconds, retryAfterSecondsMax);
    this.#history = [...this.#history, { at: this.#second, drops: this.#drops }].filter(
      (second) => at - second.at <= keptSeconds,
    );
    this.#second = at;
    this.#drops = 1;
    this.#adjust(at);
  }

  /**
   * Doubles the delay while refusals continue, but only after it has had time to take effect; later lowers it step by
   * step.
   */
  #adjust(at: number): void {
    const retryAfter = this.retryAfterSeconds;
    const drops = this.#history
      .filter((second) => at - second.at <= retryAfter && second.at < at)
      .reduce((sum, second) => sum + second.drops, 0);
    if (at - this.#raisedAt >= retryAfter && drops >= 3 * retryAfter) {
      this.retryAfterSeconds = Math.min(2 * retryAfter, retryAfterSecondsMax);
      this.#raisedAt = at;
    } else if (drops < retryAfter && retryAfter > 1) {
      this.retryAfterSeconds--;
    }
  }
}
