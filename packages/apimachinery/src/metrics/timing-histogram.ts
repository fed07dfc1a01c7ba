/** A histogram weighted by time: a value counts for as long as it lasts, here in nanoseconds, as upstream's. */
import { formatHistogram } from './exposition.ts';

const nanosecondsPerMs = 1e6;

export class TimingHistogram {
  readonly #labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  readonly #lastedMs: Float64Array;
  readonly #now: () => number;
  #denominator = 1;
  #numerator = 0;
  #ratio = 0;
  #bucket = 0;
  #sinceMs: number;
  #sum = 0;

  /** @param now a monotonic clock in milliseconds, for reads between two changes */
  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[], now: () => number) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#lastedMs = new Float64Array(bounds.length + 1);
    this.#now = now;
    this.#sinceMs = now();
  }

  set denominator(denominator: number) {
    this.#denominator = denominator;
    const numerator = this.#numerator;
    this.#numerator = Number.NaN;
    this.set(numerator, this.#now());
  }

  set(numerator: number, nowMs: number): void {
    if (numerator === this.#numerator) return;
    this.#advance(nowMs);
    this.#numerator = numerator;
    const ratio = (this.#ratio = numerator / this.#denominator);
    let bucket = 0;
    while (bucket < this.#bounds.length && ratio > this.#bounds[bucket]!) bucket++;
    this.#bucket = bucket;
  }

  write(name: string): string {
    this.#advance(this.#now());
    const lasted = this.#lastedMs.map((ms) => ms * nanosecondsPerMs);
    return formatHistogram(name, this.#labels, this.#bounds, lasted, this.#sum * nanosecondsPerMs);
  }

  /** Past time no longer counts; the current value continues. */
  reset(): void {
    this.#lastedMs.fill(0);
    this.#sum = 0;
    this.#sinceMs = this.#now();
  }

  #advance(nowMs: number): void {
    const passedMs = nowMs - this.#sinceMs;
    if (passedMs <= 0) return;
    this.#sinceMs = nowMs;
    this.#lastedMs[this.#bucket]! += passedMs;
    this.#sum += this.#ratio * passedMs;
  }
}
