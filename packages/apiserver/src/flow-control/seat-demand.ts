/** A level's demand for seats: its average since the last measurement, and a smoothed value over many periods. */

/** Halves old demand in five minutes when measured every ten seconds. */
const smoothing = 0.977;

export class SeatDemand {
  /** The average of the last period. */
  average = 0;
  deviation = 0;
  highWatermark = 0;
  smoothed = 0;
  #value = 0;
  #sinceMs: number;
  #elapsedMs = 0;
  #sum = 0;
  #sumOfSquares = 0;
  #max = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  set(seats: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#value = seats;
    if (seats > this.#max) this.#max = seats;
  }

  /** Ends a period. */
  takeStock(nowMs: number): void {
    this.#advance(nowMs);
    this.highWatermark = this.#max;
    if (this.#elapsedMs > 0) {
      this.average = this.#sum / this.#elapsedMs;
      this.deviation = Math.sqrt(Math.max(0, this.#sumOfSquares / this.#elapsedMs - this.average ** 2));
      const envelope = this.average + this.deviation;
      // Rising demand counts at once, falling demand gradually.
      this.smoothed = Math.max(envelope, smoothing * this.smoothed + (1 - smoothing) * envelope);
    }
    this.#elapsedMs = this.#sum = this.#sumOfSquares = 0;
    this.#max = this.#value;
  }

  forget(): void {
    this.average = this.deviation = this.highWatermark = this.smoothed = 0;
  }

  #advance(nowMs: number): void {
    const passedMs = nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    this.#elapsedMs += passedMs;
    if (this.#value === 0) return;
    this.#sum += this.#value * passedMs;
    this.#sumOfSquares += this.#value * this.#value * passedMs;
  }
}
