/** Divides seats among priority levels in proportion to their demand, within their bounds. */

export interface SeatClaim {
  /** The desired number; not less than `lowerBound`. */
  readonly target: number;
  readonly lowerBound: number;
  readonly upperBound: number;
}

export interface Allocation {
  readonly seats: readonly number[];
  /** The fraction of its target that each claim got, except those at a bound. */
  readonly fairFraction: number;
}

/** Keeps proportions finite when there is no demand. */
const targetMin = 0.001;
const tolerance = 1e-7;

/**
 * The unique allocation with this `sum` that gives each claim `fraction × target`, limited by its bounds.
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
 * Between two neighboring fractions at which some claim reaches or leaves a bound, the sum grows linearly. So the
 * function finds the pair that encloses the sum and interpolates.
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
