/** Creates, repairs, updates and deletes the pods of a StatefulSet, in their order. */

import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { isStatusError, scaledIntOrPercent } from '@coxswain/apimachinery';
import { templateOf } from '../history/revisions.ts';
import type { Pod } from '../objects.ts';
import { slowStart } from '../pods/slow-start.ts';
import {
  firstOrdinal,
  hasIdentity,
  hasVolumes,
  identityLabels,
  isInRange,
  newPod,
  ordinalOf,
  replicasOf,
  withVolumes,
} from './ordinals.ts';
import { type StatefulSetRun, revisionLabel } from './stateful-set-run.ts';

/** Returned by steps: 'wait' means that later pods must wait for an earlier one. */
type Step = 'go on' | 'wait';

/** The maximum number of missing pods per reconciliation: a set may want two billion. */
const missingMax = 500;

/** Lists the pods that should exist, including the first missing ones, and those that should not. */
export function arrangePods(run: StatefulSetRun): void {
  const existing = new Map<number, Pod>();
  for (const pod of run.options.pods) {
    if (isInRange(run.set, pod)) existing.set(ordinalOf(pod), pod);
    else if (ordinalOf(pod) >= 0) run.condemned.push(pod);
  }
  run.condemned = run.condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a));
  const first = firstOrdinal(run.set);
  const end = first + replicasOf(run.set);
  let missing = 0;
  let ordinal = first;
  for (; ordinal < end && missing < missingMax; ordinal++) {
    const pod = existing.get(ordinal);
    existing.delete(ordinal);
    if (pod === undefined) missing++;
    run.replicas.push(pod ?? plannedPod(run, ordinal));
  }
  appendAll(
    run.replicas,
    [...existing.values()].sort((a, b) => ordinalOf(a) - ordinalOf(b)),
  );
  run.furtherMissing = end - ordinal - existing.size;
}

function plannedPod(run: StatefulSetRun, ordinal: number): Pod {
  const { updateStrategy } = run.set.spec ?? {};
  const { rollingUpdate } = updateStrategy ?? {};
  const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : (run.set.status?.currentReplicas ?? 0);
  const isOld = updateStrategy?.type === 'RollingUpdate' && ordinal < firstOrdinal(run.set) + kept;
  const revision = isOld ? run.current : run.update;
  return newPod(run.set, templateOf(revision), revision.metadata.name ?? '', ordinal);
}

export async function updatePods(run: StatefulSetRun): Promise<void> {
  const firstUnavailable = [...run.replicas, ...run.condemned.toReversed()].find((pod) =>
    run.isUnavailable(pod),
  );
  if ((await forEachPod(run, run.replicas, (pod, index) => processReplica(run, pod, index))) === 'wait')
    return;
  for (const pod of run.condemned)
    if (!run.options.claims.ownersMatch(pod)) await run.options.claims.updateOwners(pod);
  if (
    (await forEachPod(run, run.condemned, (pod) => processCondemned(run, pod, firstUnavailable))) === 'wait'
  )
    return;
  if (run.set.spec?.updateStrategy?.type !== 'OnDelete') await updateOutdated(run);
}

async function forEachPod(
  run: StatefulSetRun,
  pods: readonly Pod[],
  act: (pod: Pod, index: number) => Promise<Step>,
): Promise<Step> {
  if (!run.isOrdered) {
    const { failure } = await slowStart(pods.length, (index) => act(pods[index]!, index));
    if (failure !== undefined) throw failure;
    return 'go on';
  }
  for (const [index, pod] of [...pods].entries()) {
    if ((await act(pod, index)) === 'go on') continue;
    run.options.observer?.note?.({ waitsFor: pod.metadata.name });
    return 'wait';
  }
  return 'go on';
}

async function processReplica(run: StatefulSetRun, pod: Pod, index: number): Promise<Step> {
  const { claims } = run.options;
  const phase = pod.status?.phase;
  if (phase === 'Failed' || phase === 'Succeeded') {
    if (pod.metadata.deletionTimestamp === undefined) await deletePod(run, pod);
    return 'wait';
  }
  if (phase === undefined) {
    if (claims.isStale(pod)) return 'wait';
    run.replicas[index] = await createPod(run, pod);
    if (run.isOrdered) return 'wait';
  } else if (phase === 'Pending') {
    await claims.create(pod);
    await claims.updateOwners(pod);
  }
  const current = run.replicas[index]!;
  if (run.isOrdered && run.isUnavailable(current)) return 'wait';
  if (hasIdentity(run.set, current) && hasVolumes(run.set, current) && claims.ownersMatch(current))
    return 'go on';
  await repairPod(run, current);
  return 'go on';
}

async function processCondemned(
  run: StatefulSetRun,
  pod: Pod,
  firstUnavailable: Pod | undefined,
): Promise<Step> {
  if (pod.metadata.deletionTimestamp !== undefined) return run.isOrdered ? 'wait' : 'go on';
  if (run.isOrdered && run.isUnavailable(pod) && pod !== firstUnavailable) return 'wait';
  await deletePod(run, pod);
  return 'wait';
}

/** From the last pod down to the partition, each once its predecessor is healthy again. */
async function updateOutdated(run: StatefulSetRun): Promise<void> {
  const { rollingUpdate } = run.set.spec?.updateStrategy ?? {};
  const lowest = rollingUpdate?.partition ?? 0;
  const unavailableMax = Math.max(
    1,
    scaledIntOrPercent(rollingUpdate?.maxUnavailable ?? 1, replicasOf(run.set), false),
  );
  let unavailable = run.furtherMissing;
  if (unavailable >= unavailableMax) return;
  for (const pod of run.replicas.toReversed()) {
    if (ordinalOf(pod) < firstOrdinal(run.set) + lowest) return;
    if (revisionLabel(pod) !== run.update.metadata.name && pod.metadata.deletionTimestamp === undefined) {
      run.options.observer?.note?.({
        outdated: pod.metadata.name,
        revision: revisionLabel(pod),
        updateRevision: run.update.metadata.name,
      });
      await deletePod(run, pod);
      if (revisionLabel(pod) === run.current.metadata.name) run.deletedForUpdate++;
      unavailable++;
    } else if (run.isUnavailable(pod)) {
      unavailable++;
      run.options.observer?.note?.({ waitsFor: pod.metadata.name });
    }
    if (unavailable >= unavailableMax) return;
  }
}

async function createPod(run: StatefulSetRun, pod: Pod): Promise<Pod> {
  const { claims, podClient } = run.options;
  let created: Pod;
  try {
    await claims.create(pod);
    created = await podClient.create(pod);
    run.options.wrote(created);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) run.report('Create', pod, error);
    throw error;
  }
  await claims.updateOwners(created);
  run.report('Create', pod);
  return created;
}

async function deletePod(run: StatefulSetRun, pod: Pod): Promise<void> {
  try {
    await run.options.podClient.delete(pod.metadata.name ?? '');
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) {
      run.report('Delete', pod, error);
      throw error;
    }
  }
  run.report('Delete', pod);
}

/** Restores labels and volumes that were removed from a pod. */
async function repairPod(run: StatefulSetRun, pod: Pod): Promise<void> {
  const { name = '', labels } = pod.metadata;
  const { claims, podClient } = run.options;
  try {
    if (!hasVolumes(run.set, pod)) await claims.create(pod);
    await claims.updateOwners(pod);
    if (hasIdentity(run.set, pod) && hasVolumes(run.set, pod)) return;
    const repaired = {
      ...pod,
      metadata: { ...pod.metadata, labels: { ...labels, ...identityLabels(name, ordinalOf(pod)) } },
    };
    run.options.wrote(await podClient.update(withVolumes(run.set, repaired)));
  } catch (error) {
    run.report('Update', pod, error);
    throw error;
  }
  run.report('Update', pod);
}
