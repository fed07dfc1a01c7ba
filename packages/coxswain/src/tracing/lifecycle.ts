/** The start, leader elections and stop of a cluster as part of its recording. */

import type { Recording, Undertaking } from '@coxswain/trace/recording.ts';

/** The parts that can be requested by name. */
const names = ['start', 'stop', 'leader-election'];

export const asksForLifecycle = (show: readonly string[]): boolean =>
  show.some((name) => names.includes(name));

const isOfLifecycle = ({ kind, component }: Undertaking): boolean =>
  names.includes(kind) || names.includes(component);

/**
 * Adds the start and stop of the cluster to what `shown` has; of all of its requests, only those for leader election.
 */
export function withLifecycle(whole: Recording, shown: Recording | undefined): Recording {
  const known = new Map(shown?.undertakings.map((one) => [one.id, one]));
  const elections = new Set(
    whole.undertakings.filter(({ component }) => component === 'leader-election').map(({ id }) => id),
  );
  const undertakings = whole.undertakings.flatMap((one) => {
    const isKept = isOfLifecycle(one) || one.causes.some((cause) => elections.has(cause));
    return known.get(one.id) ?? (isKept ? one : []);
  });
  return { ...whole, undertakings };
}
