/** Divides seats among levels: to each in proportion to its demand, as far as its bounds allow. */

export interface SeatClaim {
  /** What it would like; not less than `lowerBound`. */
  readonly target: number;
  readonly lowerBound: number;
  readonly upperBound: number;
}

export interface Allocation {
  readonly seats: readonly number[];
  /** Each got this part of its target, but for those at one of their bounds. */
  readonly fairFraction: number;
}

/** Keeps proportions finite where nobody wants anything. */
const targetMin = 0.001;
const tolerance = 1e-7;

/**
 * The one division that sums up to `sum` and gives each claim `fraction × target`, or the bound that lies in
 * the way.
 * @throws Error when the bounds don't admit that sum
 */
export function allocateSeats(sum: number, claims: readonly SeatClaim[]): Allocation {
  const targets = claims.map(({ target }) => Math.max(target, targetMin));
  const given = (fraction: number): number[] =>
    claims.map(({ lowerBound, upperBound }, at) =>
      Math.max(lowerBound, Math.min(upperBound, fraction * targets[at]!)),
    );
  const low = total(claims.map(({ lowerBound }) => lowerBound));
  const high = total(claims.map(({ upperBound }) => upperBound));
  if (low - sum > tolerance) throw new Error(`lower bounds sum to ${low}, more than ${sum}`);
  if (sum - high > tolerance) throw new Error(`upper bounds sum to ${high}, less than ${sum}`);
  if (sum === 0) return { seats: claims.map(() => 0), fairFraction: 0 };
  const lowest = claims.map(({ lowerBound }, at) => lowerBound / targets[at]!);
  const highest = claims.map(({ upperBound }, at) => upperBound / targets[at]!);
  if (low - sum > -tolerance) {
    return { seats: claims.map(({ lowerBound }) => lowerBound), fairFraction: Math.min(...lowest) };
  }
  if (sum - high > -tolerance) {
    return { seats: claims.map(({ upperBound }) => upperBound), fairFraction: Math.max(...highest) };
  }
  const fairFraction = fractionFor(sum, [...lowest, ...highest], given);
  return { seats: given(fairFraction), fairFraction };
}

/**
 * Between two neighbours among the fractions at which some bound begins or ceases to hold, what is given grows
 * evenly; so the pair is found between which the sum lies, and the rest is a proportion.
 */
function fractionFor(
  sum: number,
  bends: readonly number[],
  given: (fraction: number) => readonly number[],
): number {
  let before = 0;
  let sumBefore = total(given(0));
  for (const bend of bends.toSorted((a, b) => a - b)) {
    const sumAt = total(given(bend));
    if (sumAt >= sum) {
      return sumAt === sumBefore
        ? bend
        : before + ((bend - before) * (sum - sumBefore)) / (sumAt - sumBefore);
    }
    before = bend;
    sumBefore = sumAt;
  }
  return before;
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
