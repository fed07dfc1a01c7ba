/** Which thresholds are crossed, since when, and what the node is to say of it: from one look to the next. */
import type { NodePressure } from '../node/node-state.ts';
import { signals, type Observations } from './signals.ts';
import { amountOf, type Threshold } from './thresholds.ts';

export interface ThresholdState {
  /** Since when each has been crossed, milliseconds of the monotonic clock. */
  readonly crossedSinceMs: ReadonlyMap<Threshold, number>;
  /** When each pressure was last there. */
  readonly pressureSeenMs: ReadonlyMap<NodePressure, number>;
  /** Crossed for as long as they have to be: pods are evicted until what they ask for is free again. */
  readonly due: readonly Threshold[];
  /** What the node says now. */
  readonly pressures: readonly NodePressure[];
}

export const calm: ThresholdState = {
  crossedSinceMs: new Map(),
  pressureSeenMs: new Map(),
  due: [],
  pressures: [],
};

/** A pressure is told for `transitionMs` after it was last there, so that the node doesn't flap. */
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

/** `enforceReclaim`: with what is to be free beyond the threshold. What can't be observed is not crossed. */
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

/** What is reclaimed first: memory goes before all else. */
export const mostUrgent = (due: readonly Threshold[]): Threshold | undefined =>
  due.find(({ signal }) => signals[signal].resource === 'memory') ?? due[0];
