/** Reconciles one StatefulSet: its pods one after the other, or in parallel, each with its own name. */

import { byRevision } from '../history/revisions.ts';
import type { StatefulSetRun, StatefulSetStatus } from './stateful-set-run.ts';
import { findRevisions, truncateRevisions } from './revisions.ts';
import { arrangePods, updatePods } from './pods.ts';
import { statusOf, writeStatus } from './status.ts';

export async function reconcileStatefulSet(run: StatefulSetRun): Promise<StatefulSetStatus> {
  const revisions = byRevision(run.options.revisions);
  await findRevisions(run, revisions);
  arrangePods(run);
  let failure: unknown;
  let status = statusOf(run, run.options.pods);
  if (run.set.metadata.deletionTimestamp === undefined) {
    try {
      await updatePods(run);
    } catch (error) {
      failure = error;
    }
    status = statusOf(run, [...run.replicas, ...run.condemned]);
  }
  await writeStatus(run, status);
  await truncateRevisions(run, revisions);
  if (failure !== undefined) throw failure;
  return status;
}
