/** Maps times to the width of the page. Stretches in which nothing begins or ends are compressed. */

export interface Gap {
  readonly fromNs: number;
  readonly toNs: number;
}

export class TimeScale {
  /** The times at which the slope changes, and their positions along the axis. Both are ascending. */
  readonly #moments: number[] = [];
  readonly #along: number[] = [];
  readonly gaps: readonly Gap[];
  readonly length: number;

  constructor(moments: Float64Array, startNs: number, endNs: number) {
    const sorted = moments.toSorted();
    const gaps: Gap[] = [];
    const gapMin = Math.max((endNs - startNs) * gapPart, gapNsMin);
    for (let at = 1; at < sorted.length; at++)
      if (sorted[at]! - sorted[at - 1]! > gapMin)
        gaps.push({ fromNs: sorted[at - 1]! + gapMin / 8, toNs: sorted[at]! - gapMin / 8 });
    const idle = gaps.reduce((sum, { fromNs, toNs }) => sum + toNs - fromNs, 0);
    const drawn = Math.max(1, endNs - startNs - idle) * gapWidth;
    let along = 0;
    let reached = startNs;
    this.#push(startNs, 0);
    for (const { fromNs, toNs } of gaps) {
      along += fromNs - reached;
      this.#push(fromNs, along);
      along += Math.min(drawn, toNs - fromNs);
      this.#push(toNs, along);
      reached = toNs;
    }
    this.length = along + endNs - reached;
    this.#push(endNs, this.length);
    this.gaps = gaps;
  }

  #push(moment: number, along: number): void {
    this.#moments.push(moment);
    this.#along.push(along);
  }

  along(moment: number): number {
    return interpolated(moment, this.#moments, this.#along);
  }

  moment(along: number): number {
    return interpolated(along, this.#along, this.#moments);
  }
}

/** A stretch without events is a gap if it exceeds this fraction of the recording. */
const gapPart = 0.04;
const gapNsMin = 2_000_000;
/** The width of a gap, as a fraction of the part that is drawn to scale. */
const gapWidth = 0.025;

function interpolated(value: number, from: readonly number[], to: readonly number[]): number {
  let low = 0;
  let high = from.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (from[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  const width = from[low + 1]! - from[low]!;
  if (width === 0) return to[low]!;
  return to[low]! + ((value - from[low]!) / width) * (to[low + 1]! - to[low]!);
}
