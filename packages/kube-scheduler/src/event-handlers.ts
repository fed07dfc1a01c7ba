/** Applies changes of the cluster to the scheduler's state. */

import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isFinished, isTerminating, type PodInfo } from './cache/pod-info.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import { nodeChanges, podChanges } from './changes.ts';
import type { ClusterEvent } from './framework/cluster-event.ts';
import type { Nominator } from './queue/nominator.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

export interface EventHandlersOptions {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominator: Nominator;
  /** Whether a profile is for the pod. */
  isResponsibleFor(pod: Pod): boolean;
}

export class EventHandlers {
  readonly #cache: SchedulerCache;
  readonly #queue: SchedulingQueue;
  readonly #nominator: Nominator;
  readonly #isResponsibleFor: (pod: Pod) => boolean;

  constructor({ cache, queue, nominator, isResponsibleFor }: EventHandlersOptions) {
    this.#cache = cache;
    this.#queue = queue;
    this.#nominator = nominator;
    this.#isResponsibleFor = isResponsibleFor;
  }

  nodeChanged(before: Node | undefined, after: Node | undefined): void {
    if (after === undefined) this.#cache.removeNode(before?.metadata?.name ?? '');
    else this.#cache.setNode(after);
    if (!this.#queue.hasResting) return;
    for (const event of nodeChanges(before, after)) this.#queue.onEvent(event);
  }

  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    // An ended pod uses no resources, and one recreated under the same name is a different pod.
    if (before !== undefined && after !== undefined && before.metadata?.uid !== after.metadata?.uid) {
      this.podChanged(before, undefined);
      return this.podChanged(undefined, after);
    }
    const was = before !== undefined && !isFinished(before) ? before : undefined;
    const is = after !== undefined && !isFinished(after) ? after : undefined;
    if (was?.spec?.nodeName || is?.spec?.nodeName) this.#placedPodChanged(was, is);
    else if (is !== undefined) this.#waitingPodChanged(was, is);
    else if (was !== undefined) this.#waitingPodGone(was);
  }

  otherChanged(event: ClusterEvent): void {
    if (event.resource === 'ResourceClaim') this.#queue.reconsiderAll(hasResourceClaims);
    if (this.#queue.hasResting) this.#queue.onEvent(event);
  }

  #placedPodChanged(was: Pod | undefined, is: Pod | undefined): void {
    const uid = (is ?? was)?.metadata?.uid ?? '';
    if (is === undefined) this.#cache.removePod(uid);
    else this.#cache.setPod(is);
    const wasPlaced = Boolean(was?.spec?.nodeName);
    if (!wasPlaced) {
      this.#queue.delete(uid);
      this.#nominator.delete(uid);
    }
    if (!this.#queue.hasResting) return;
    for (const event of podChanges(wasPlaced ? was : undefined, is)) this.#queue.onEvent(event);
  }

  #waitingPodChanged(was: Pod | undefined, is: Pod): void {
    const uid = is.metadata?.uid ?? '';
    if (!this.#isResponsibleFor(is)) return;
    if (this.#cache.isAssumed(uid)) {
      if (isTerminating(is) && was !== undefined && !isTerminating(was)) this.#assumedPodLeaves(was);
      return;
    }
    this.#queue.update(is, podChanges(was, is));
    const info = this.#queue.infoOf(uid);
    const nominated = is.status?.nominatedNodeName ?? '';
    if (info !== undefined && (nominated !== (was?.status?.nominatedNodeName ?? '') || was === undefined)) {
      this.#nominator.set(info, nominated);
    }
    // To other pods, a withdrawn nomination is equivalent to a pod that has gone.
    const promised = was?.status?.nominatedNodeName;
    if (promised && promised !== nominated)
      this.#queue.onEvent({ resource: 'Pod', action: 'delete', before: was });
  }

  /** The binding will fail; until then, the pod must not use up resources. */
  #assumedPodLeaves(was: Pod): void {
    const uid = was.metadata?.uid ?? '';
    const nodeName = this.#cache.nodeNameOf(uid) ?? '';
    this.#cache.forget(uid);
    this.#queue.onEvent({ resource: 'Pod', action: 'delete', before: placedOn(was, nodeName) });
  }

  #waitingPodGone(was: Pod): void {
    const uid = was.metadata?.uid ?? '';
    const wasNominated = this.#nominator.nodeOf(uid) !== undefined;
    this.#queue.delete(uid);
    this.#nominator.delete(uid);
    this.#cache.removePod(uid);
    if (wasNominated && this.#queue.hasResting)
      this.#queue.onEvent({ resource: 'Pod', action: 'delete', before: was });
  }
}

const hasResourceClaims = ({ pod }: PodInfo): boolean => (pod.spec?.resourceClaims?.length ?? 0) > 0;

export const placedOn = (pod: Pod, nodeName: string): Pod => ({ ...pod, spec: { ...pod.spec!, nodeName } });
