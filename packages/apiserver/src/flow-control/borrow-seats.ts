/** Moves seats from priority levels that don't need theirs to levels that could use more. */
import { allocateSeats } from './concurrency-allocation.ts';
import type { PriorityLevel } from './priority-level.ts';

/**
 * Sets each level's limit by its demand since the last adjustment. Exempt levels take what they need, and the others
 * share the rest. Returns the fraction of its demand that each of these gets.
 * @param forNone the base of utilization when a level has no seats
 */
export function borrowSeats(
  levels: readonly PriorityLevel[],
  nominalSum: number,
  forNone: number,
  nowMs: number,
): number {
  for (const { demand } of levels) demand.takeStock(nowMs);
  const limited = levels.filter(({ isExempt }) => !isExempt);
  let left = nominalSum;
  for (const level of levels) {
    if (!level.isExempt) continue;
    const taken = Math.max(level.limits.min, level.demand.highWatermark);
    level.target = taken;
    level.setCurrent(taken, forNone);
    left -= taken;
  }
  const { seats, fairFraction } = divided(limited, nominalSum, left);
  for (const [at, level] of limited.entries()) level.setCurrent(seats[at]!, forNone);
  return fairFraction;
}

interface Division {
  readonly seats: readonly number[];
  readonly fairFraction: number;
}

function divided(levels: readonly PriorityLevel[], nominalSum: number, left: number): Division {
  for (const level of levels) level.target = Math.max(leastOf(level), level.demand.smoothed);
  const minSum = levels.reduce((sum, { limits }) => sum + limits.min, 0);
  if (left <= minSum) return { seats: levels.map(({ limits }) => limits.min), fairFraction: 0 };
  const leastSum = levels.reduce((sum, level) => sum + leastOf(level), 0);
  if (left <= leastSum) {
    const part = (left - minSum) / (leastSum - minSum);
    const seats = levels.map((level) => {
      const { min } = level.limits;
      return min + Math.round((leastOf(level) - min) * part);
    });
    return { seats, fairFraction: 0 };
  }
  try {
    const { seats, fairFraction } = allocateSeats(
      nominalSum,
      levels.map((level) => ({
        target: level.target,
        lowerBound: leastOf(level),
        upperBound: level.limits.max,
      })),
    );
    return { seats: seats.map(Math.round), fairFraction };
  } catch {
    // The bounds leave no choice, so the current division is kept.
    return { seats: levels.map(({ current }) => current), fairFraction: 0 };
  }
}

/** A level keeps the seats that it needed, up to its nominal limit, and always those that it doesn't lend. */
const leastOf = ({ limits, demand }: PriorityLevel): number =>
  Math.max(limits.min, Math.min(limits.nominal, demand.highWatermark));
