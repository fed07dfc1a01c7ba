/** State and access that the reconciliations of DaemonSets share. */

import { selectorOfCached, type KubeObject } from '@coxswain/apimachinery';
import { Expectations, objectKey, referenceTo, type Informer, type Lister } from '@coxswain/client';
import { claim } from '../claim.ts';
import type { ControllerContext } from '../controller.ts';
import { resources, type ControllerRevision, type DaemonSet, type Node, type Pod } from '../objects.ts';
import { controllerIndex } from '../owners.ts';
import { OwnWrites } from '../own-writes.ts';
import { FailedPodBackOff } from './failed-pod-back-off.ts';
import { daemonSetKind, fitOf } from './daemon-pod.ts';

interface Caches {
  readonly sets: Informer<DaemonSet>;
  readonly pods: Informer<Pod>;
  readonly nodes: Lister<Node>;
  readonly revisions: Lister<ControllerRevision>;
}

/** What the controller remembers between reconciliations, and its access to caches and server. */
export class DaemonSetState {
  readonly expectations: Expectations;
  readonly ownWrites = new OwnWrites();
  readonly context: ControllerContext;
  readonly caches: Caches;
  readonly backOff: FailedPodBackOff;

  constructor(context: ControllerContext, caches: Caches) {
    this.context = context;
    this.caches = caches;
    this.expectations = new Expectations(context.clock);
    this.backOff = new FailedPodBackOff(context.clock);
  }

  /** Whether a changed node needs a pod, can no longer keep its pod, or can do so again. */
  isConcernedBy(set: DaemonSet, node: Node): boolean {
    const { starts, stays } = fitOf(set, node);
    const pods = this.caches.pods.lister.byIndex(controllerIndex, set.metadata.uid ?? '');
    const isThere = pods.some((pod) => pod.spec?.nodeName === node.metadata.name);
    return isThere ? !stays || (set.status?.numberMisscheduled ?? 0) > 0 : starts;
  }

  forget(key: string): void {
    this.expectations.forget(key);
    this.ownWrites.forget(key);
  }

  claim<T extends Pod | ControllerRevision>(
    set: DaemonSet,
    resource: (typeof resources)['pods' | 'controllerRevisions'],
    lister: Lister<T>,
    wrote: (object: T) => void = () => {},
  ) {
    const { client } = this.context;
    const { namespace = '', name = '' } = set.metadata;
    return claim<T>({
      owner: set,
      ownerKind: daemonSetKind,
      selector: selectorOfCached(set.spec?.selector),
      lister,
      client: client.resource<T>(resource),
      fresh: () => client.resource<DaemonSet>(resources.daemonSets).namespace(namespace).get(name),
      wrote,
    });
  }

  wrotePod(set: KubeObject, pod: Pod): void {
    this.ownWrites.wrote(objectKey(set), this.caches.pods, pod);
  }

  wroteSet(set: DaemonSet): void {
    this.ownWrites.wrote(objectKey(set), this.caches.sets, set);
  }

  report(set: DaemonSet, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = referenceTo(set, daemonSetKind.kind, daemonSetKind.apiVersion);
    this.context.events('daemonset-controller').event(about, type, reason, message);
  }
}
