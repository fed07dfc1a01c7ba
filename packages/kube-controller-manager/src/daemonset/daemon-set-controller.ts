/** Maintains one pod of each DaemonSet on every eligible node. */

import { deepEqual, selectorOfCached } from '@coxswain/apimachinery';
import { objectKey } from '@coxswain/client';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type ControllerRevision, type DaemonSet, type Node, type Pod } from '../objects.ts';
import { controllerIndex, controllerIndexValues, controllerOf } from '../owners.ts';
import { startReconciler } from '../reconciler.ts';
import { daemonSetKind, fitOf } from './daemon-pod.ts';
import { DaemonSetState } from './daemon-set-state.ts';
import { syncDaemonSet } from './sync.ts';

export const daemonSetController: Controller = {
  name: 'daemonset-controller',
  aliases: ['daemonset'],
  serviceAccount: 'daemon-set-controller',
  start(context) {
    const byController = { [controllerIndex]: controllerIndexValues };
    const sets = context.informers.informer<DaemonSet>(resources.daemonSets);
    const pods = context.informers.informer<Pod>(resources.pods, byController);
    const nodes = context.informers.informer<Node>(resources.nodes);
    const revisions = context.informers.informer<ControllerRevision>(
      resources.controllerRevisions,
      byController,
    );
    const caches = { sets, pods, nodes: nodes.lister, revisions: revisions.lister };
    const state = new DaemonSetState(context, caches);
    const reconciler = startReconciler(context, {
      queueName: 'daemonset',
      ready: () => Promise.all([sets, pods, nodes, revisions].map(({ synced }) => synced)),
      reconcile: syncDaemonSet.bind(undefined, state),
      ownWrites: state.ownWrites,
    });
    sets.addHandler({
      ...onWrite(reconciler.addObject),
      deleted(set) {
        state.forget(objectKey(set));
        reconciler.addObject(set);
      },
    });
    const ownerKey = (pod: Pod): string | undefined => {
      const owner = controllerOf(pod);
      if (owner?.kind !== daemonSetKind.kind) return undefined;
      const key = `${pod.metadata.namespace}/${owner.name}`;
      return sets.lister.byKey(key)?.metadata.uid === owner.uid ? key : undefined;
    };
    const wakeMatching = (pod: Pod) => {
      for (const set of sets.lister.list(pod.metadata.namespace)) {
        const selector = selectorOfCached(set.spec?.selector);
        if (!selector.everything && selector.matches(pod.metadata.labels)) reconciler.addObject(set);
      }
    };
    pods.addHandler({
      added(pod) {
        const key = ownerKey(pod);
        if (key === undefined) return controllerOf(pod) === undefined ? wakeMatching(pod) : undefined;
        if (pod.metadata.deletionTimestamp === undefined) state.expectations.creationObserved(key);
        reconciler.add(key);
      },
      updated(before, after) {
        if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
        const key = ownerKey(after);
        if (key !== undefined && after.metadata.deletionTimestamp !== undefined)
          state.expectations.deletionObserved(key, objectKey(after));
        if (key !== undefined) reconciler.add(key);
        const former = controllerOf(before)?.uid === controllerOf(after)?.uid ? undefined : ownerKey(before);
        if (former !== undefined) reconciler.add(former);
      },
      deleted(pod) {
        const key = ownerKey(pod);
        if (key === undefined) return;
        state.expectations.deletionObserved(key, objectKey(pod));
        reconciler.add(key);
      },
    });
    nodes.addHandler({
      added(node) {
        for (const set of sets.lister.list()) if (fitOf(set, node).starts) reconciler.addObject(set);
      },
      updated(before, after) {
        const sameTaints = deepEqual(before.spec?.taints ?? [], after.spec?.taints ?? []);
        if (sameTaints && deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {})) return;
        for (const set of sets.lister.list()) if (state.isConcernedBy(set, after)) reconciler.addObject(set);
      },
    });
  },
};
