/** How a cluster starts, elects its leaders and stops, as a part of its recording. */

import type { Recording, Undertaking } from '@coxswain/trace/recording.ts';

/** What of it may be asked for by name. */
const names = ['start', 'stop', 'leader-election'];

export const asksForLifecycle = (show: readonly string[]): boolean =>
  show.some((name) => names.includes(name));

const isOfLifecycle = ({ kind, component }: Undertaking): boolean =>
  names.includes(kind) || names.includes(component);

/** What `shown` has, and the beginning and end of the cluster; of all of its requests only those of elections. */
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
