/** What a node that starts says of a machine on which pods would be refused and evicted at once. */
import type { Observation, Observations, Signal } from './signals.ts';
import { crossed } from './threshold-state.ts';
import { amountText, availableText, type Threshold } from './thresholds.ts';

/** The same again, of what pods have of it. */
const repeating: readonly Signal[] = ['allocatableMemory.available'];

/**
 * One line, with what to do; undefined when nothing is short.
 * @param thresholds without those of containers, which are copies
 * @param folderOf where the things lie that a signal counts; undefined when it counts no files
 */
export function shortageNotice(
  thresholds: readonly Threshold[],
  observations: Observations,
  folderOf: (signal: Signal) => string | undefined,
): string | undefined {
  const short = crossed(thresholds, observations, false).filter(({ signal }) => !repeating.includes(signal));
  if (short.length === 0) return undefined;
  const told = short.map((threshold) =>
    shortageText(threshold, observations.get(threshold.signal)!, folderOf(threshold.signal)),
  );
  return `pods will be refused and evicted, as the machine is short: ${told.join('; ')}. Make room, or set evictionHard in the kubelet's configuration file`;
}

function shortageText({ signal, value }: Threshold, observed: Observation, folder: string | undefined) {
  const [left, wanted] =
    value.kind === 'part'
      ? [percent(observed.available / observed.capacity), percent(value.part)]
      : [availableText(signal, observed), amountText(value, observed)];
  return `${signal}${folder === undefined ? '' : ` (${folder})`} is ${left}, below ${wanted}`;
}

const percent = (part: number): string => `${Number((100 * part).toFixed(1))}%`;
