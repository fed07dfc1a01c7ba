/** Tracks from one observation to the next which thresholds are crossed, since when, and what the node reports. */
import type { NodePressure } from '../node/node-state.ts';
import { signals, type Observations } from './signals.ts';
import { amountOf, type Threshold } from './thresholds.ts';

export interface ThresholdState {
  /** When each was first crossed, in milliseconds of the monotonic clock. */
  readonly crossedSinceMs: ReadonlyMap<Threshold, number>;
  /** When each pressure was last observed. */
  readonly pressureSeenMs: ReadonlyMap<NodePressure, number>;
  /** Crossed for their whole grace period: pods are evicted until the threshold is met again. */
  readonly due: readonly Threshold[];
  /** The pressures that the node currently reports. */
  readonly pressures: readonly NodePressure[];
}

export const calm: ThresholdState = {
  crossedSinceMs: new Map(),
  pressureSeenMs: new Map(),
  due: [],
  pressures: [],
};

/** A pressure is reported for `transitionMs` after it was last observed, so that the condition doesn't flap. */
export function nextState(
  before: ThresholdState,
  thresholds: readonly Threshold[],
  observations: Observations,
  nowMs: number,
  transitionMs: number,
): ThresholdState {
  const unresolved = crossed(before.due, observations, true);
  const now = crossed(thresholds, observations, false);
  const all = [...now, ...unresolved.filter((threshold) => !now.includes(threshold))];
  const crossedSinceMs = new Map(
    all.map((threshold) => [threshold, before.crossedSinceMs.get(threshold) ?? nowMs]),
  );
  const pressureSeenMs = new Map([
    ...before.pressureSeenMs,
    ...all.map(({ signal }) => [signals[signal].condition, nowMs] as const),
  ]);
  return {
    crossedSinceMs,
    pressureSeenMs,
    due: all.filter((threshold) => nowMs - crossedSinceMs.get(threshold)! >= threshold.graceMs),
    pressures: [...pressureSeenMs].flatMap(([pressure, seenMs]) =>
      nowMs - seenMs < transitionMs || seenMs === nowMs ? [pressure] : [],
    ),
  };
}

/**
 * A signal without an observation is not crossed. @param enforceReclaim whether the minimum reclaim is added to the
 * threshold
 */
export const crossed = (
  thresholds: readonly Threshold[],
  observations: Observations,
  enforceReclaim: boolean,
): readonly Threshold[] =>
  thresholds.filter(({ signal, value, reclaim }) => {
    const observed = observations.get(signal);
    if (observed === undefined) return false;
    const more = enforceReclaim && reclaim !== undefined ? amountOf(reclaim, observed) : 0;
    return amountOf(value, observed) + more > observed.available;
  });

/** The first threshold to reclaim for: memory precedes everything else. */
export const mostUrgent = (due: readonly Threshold[]): Threshold | undefined =>
  due.find(({ signal }) => signals[signal].resource === 'memory') ?? due[0];
