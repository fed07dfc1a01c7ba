/** Writes the status of a DaemonSet. */

import { deepEqual, isStatusError } from '@coxswain/apimachinery';
import { resources, type DaemonSet } from '../objects.ts';
import { daemonSetStatus, type DaemonView } from './plan.ts';
import type { DaemonSetState } from './daemon-set-state.ts';

export async function writeStatus(
  state: DaemonSetState,
  view: DaemonView,
  observed: boolean,
): Promise<number | void> {
  const { set } = view;
  const status = daemonSetStatus(view, observed);
  if (!deepEqual(set.status, status)) {
    const { namespace = '', name = '' } = set.metadata;
    const client = state.context.client.resource<DaemonSet>(resources.daemonSets).namespace(namespace);
    try {
      state.wroteSet(await client.updateStatus({ ...set, status }));
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw error;
      // Counts are written to the current status, so that concurrent changes by others are kept.
      const latest = await client.get(name);
      const known = { ...view, set: { ...set, status: latest.status } };
      state.wroteSet(await client.updateStatus({ ...latest, status: daemonSetStatus(known, observed) }));
    }
  }
  const { minReadySeconds = 0 } = set.spec ?? {};
  if (minReadySeconds > 0 && status.numberReady !== (status.numberAvailable ?? 0))
    return minReadySeconds * 1000;
}
