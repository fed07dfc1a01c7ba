/** The warning at the start on a machine where pods would be refused or evicted at once. */
import type { Observation, Observations, Signal } from './signals.ts';
import { crossed } from './threshold-state.ts';
import { amountText, availableText, type Threshold } from './thresholds.ts';

/** Duplicates the node's signal, for the memory of pods. */
const repeating: readonly Signal[] = ['allocatableMemory.available'];

/**
 * Returns one line with advice; undefined if nothing is short.
 * @param thresholds without those for containers, which are copies
 * @param directoryOf returns the directory that a signal measures; undefined for signals that aren't about files
 */
export function shortageNotice(
  thresholds: readonly Threshold[],
  observations: Observations,
  directoryOf: (signal: Signal) => string | undefined,
): string | undefined {
  const short = crossed(thresholds, observations, false).filter(({ signal }) => !repeating.includes(signal));
  if (short.length === 0) return undefined;
  const reported = short.map((threshold) =>
    shortageText(threshold, observations.get(threshold.signal)!, directoryOf(threshold.signal)),
  );
  return `pods will be refused and evicted, as the machine is short: ${reported.join('; ')}. Make room, or set evictionHard in the kubelet's configuration file`;
}

function shortageText({ signal, value }: Threshold, observed: Observation, directory: string | undefined) {
  const [left, wanted] =
    value.kind === 'part'
      ? [percent(observed.available / observed.capacity), percent(value.part)]
      : [availableText(signal, observed), amountText(value, observed)];
  return `${signal}${directory === undefined ? '' : ` (${directory})`} is ${left}, below ${wanted}`;
}

const percent = (part: number): string => `${Number((100 * part).toFixed(1))}%`;
