/** The seats that a request occupies, and for how long after its response. */

export interface WorkEstimate {
  /** Seats while the request is served. */
  readonly initialSeats: number;
  /** Seats for the work that it causes, for `additionalLatencyMs` after the response. */
  readonly finalSeats: number;
  /** The client does not wait for it. */
  readonly additionalLatencyMs: number;
}

export const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 };

export const seats = (initialSeats: number): WorkEstimate =>
  initialSeats === 1 ? oneSeat : { initialSeats, finalSeats: 0, additionalLatencyMs: 0 };

/** Work is measured in seats × milliseconds. */
export const finalWorkOf = ({ finalSeats, additionalLatencyMs }: WorkEstimate): number =>
  finalSeats * additionalLatencyMs;

/** The service time is unknown in advance; this is upstream's guess. */
export const expectedServiceMs = 3;
