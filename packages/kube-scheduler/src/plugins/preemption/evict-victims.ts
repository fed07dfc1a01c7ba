import { isStatusError } from '@coxswain/apimachinery';
import { isTerminating, type PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import type { Candidate } from './pick-candidate.ts';

/** Deletes the victims that are not terminating yet; the pod stays out of the queue until that is observed. */
export function evictVictims(pod: PodInfo, { nodeName, found }: Candidate, cluster: Cluster): void {
  const standing = found.victims.filter(({ pod: victim }) => !isTerminating(victim));
  const outbid = cluster.nominatedTo(nodeName).filter((other) => other.priority < pod.priority);
  if (standing.length === 0) return;
  cluster.whilePodWaits(pod, async () => {
    await Promise.all(
      outbid.map((other) => cluster.api.patchPodStatus(other.pod, { nominatedNodeName: '' })),
    );
    await Promise.all(standing.map((victim) => evict(pod, victim, nodeName, cluster)));
    // If it were retried earlier, the pod would find the node full and preempt others elsewhere.
    await Promise.all(standing.map(({ uid }) => cluster.departure(uid)));
  });
}

async function evict(pod: PodInfo, victim: PodInfo, nodeName: string, { api }: Cluster): Promise<void> {
  const schedulerName = pod.pod.spec?.schedulerName ?? 'default-scheduler';
  try {
    await api.patchPodStatus(victim.pod, {
      condition: {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: `${schedulerName}: preempting to accommodate a higher priority pod`,
        ...(victim.pod.metadata?.generation === undefined
          ? {}
          : { observedGeneration: victim.pod.metadata.generation }),
      },
    });
    await api.deletePod(victim.pod);
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return;
    throw error;
  }
  api.event({
    about: victim.pod,
    type: 'Normal',
    reason: 'Preempted',
    action: 'Preempting',
    note: `Preempted by pod ${pod.uid} on node ${nodeName}`,
    schedulerName,
  });
}
