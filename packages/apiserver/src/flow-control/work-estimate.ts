/** How much of a level's concurrency a request takes, and for how long beyond its answer. */

export interface WorkEstimate {
  /** Seats while the request is served. */
  readonly initialSeats: number;
  /** Seats while what it set off goes on, for `additionalLatencyMs` after the answer. */
  readonly finalSeats: number;
  /** The client does not wait for it. */
  readonly additionalLatencyMs: number;
}

export const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 };

export const seats = (initialSeats: number): WorkEstimate =>
  initialSeats === 1 ? oneSeat : { initialSeats, finalSeats: 0, additionalLatencyMs: 0 };

/** Work is counted in seats times milliseconds. */
export const finalWorkOf = ({ finalSeats, additionalLatencyMs }: WorkEstimate): number =>
  finalSeats * additionalLatencyMs;

/** Nobody knows how long a request takes before it was served; the original's guess. */
export const expectedServiceMs = 3;
