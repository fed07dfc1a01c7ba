/** Decides, without acting, what a ReplicaSet needs, and its status. */

import { formatTime } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { byDeletionOrder } from '../pods/deletion-order.ts';
import { isAvailable, isReady } from '../pods/pod-state.ts';
import type { Pod, ReplicaSet } from '../objects.ts';

/** The maximum number of pods created or deleted at once. */
export const burstReplicas = 500;

export type ReplicaPlan =
  | { readonly do: 'nothing' }
  | { readonly do: 'create'; readonly count: number }
  | { readonly do: 'delete'; readonly pods: readonly Pod[] };

/** @param related the active pods of all ReplicaSets with the same owner, for spreading deletions over nodes */
export function planReplicas(
  replicas: number,
  active: readonly Pod[],
  related: () => readonly Pod[],
  nowMs: number,
): ReplicaPlan {
  const missing = replicas - active.length;
  if (missing === 0) return { do: 'nothing' };
  if (missing > 0) return { do: 'create', count: Math.min(missing, burstReplicas) };
  return { do: 'delete', pods: surplus(active, related, Math.min(-missing, burstReplicas), nowMs) };
}

function surplus(
  active: readonly Pod[],
  related: () => readonly Pod[],
  count: number,
  nowMs: number,
): readonly Pod[] {
  if (count >= active.length) return active;
  const onNode = new Map<string, number>();
  for (const { spec } of related()) {
    if (spec?.nodeName) onNode.set(spec.nodeName, (onNode.get(spec.nodeName) ?? 0) + 1);
  }
  const ranked = active.map((pod) => ({ pod, rank: onNode.get(pod.spec?.nodeName ?? '') ?? 0 }));
  return byDeletionOrder(ranked, nowMs)
    .slice(0, count)
    .map(({ pod }) => pod);
}

export type ReplicaSetStatus = NonNullable<ReplicaSet['status']>;
export type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

export interface ObservedReplicas {
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** An error in creating or deleting pods. */
  readonly failure?: unknown;
  readonly nowMs: number;
}

/** Zero counts are omitted where upstream omits them. */
export function replicaSetStatus(set: ReplicaSet, observed: ObservedReplicas): ReplicaSetStatus {
  const { active, terminating, nowMs } = observed;
  const templateLabels = Object.entries(set.spec?.template?.metadata?.labels ?? {});
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  let labeled = 0;
  let ready = 0;
  let available = 0;
  for (const pod of active) {
    if (templateLabels.every(([key, value]) => pod.metadata.labels?.[key] === value)) labeled++;
    if (!isReady(pod)) continue;
    ready++;
    if (isAvailable(pod, minReadySeconds, nowMs)) available++;
  }
  const conditions = failureConditions(set, observed);
  return {
    replicas: active.length,
    ...(labeled === 0 ? {} : { fullyLabeledReplicas: labeled }),
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(available === 0 ? {} : { availableReplicas: available }),
    terminatingReplicas: terminating.length,
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
  };
}

function failureConditions(
  set: ReplicaSet,
  { active, failure, nowMs }: ObservedReplicas,
): readonly ReplicaSetCondition[] {
  const current = set.status?.conditions ?? [];
  const known = current.some((condition) => condition.type === 'ReplicaFailure');
  if (failure === undefined)
    return known ? current.filter((condition) => condition.type !== 'ReplicaFailure') : current;
  if (known) return current;
  const missing = (set.spec?.replicas ?? 1) - active.length;
  return [
    ...current,
    {
      type: 'ReplicaFailure',
      status: 'True',
      lastTransitionTime: formatTime(nowMs),
      ...(missing === 0 ? {} : { reason: missing > 0 ? 'FailedCreate' : 'FailedDelete' }),
      message: messageOf(failure),
    },
  ];
}
