/** Reconciles Deployments: finds their ReplicaSets, changes them as required, and updates the status. */

import { selectorOfCached } from '@coxswain/apimachinery';
import { objectKey, type Lister } from '@coxswain/client';
import { claim } from '../claim.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { onChange } from '../event-handlers.ts';
import { resources, type Deployment, type Pod, type ReplicaSet } from '../objects.ts';
import { controllerIndex, controllerIndexValues, controllerOf } from '../owners.ts';
import { startReconciler, type Reconciler } from '../reconciler.ts';
import { deploymentKind } from './deployment-kind.ts';
import { Rollout } from './rollout.ts';
import { reconcileDeployment, warnAboutSelector } from './sync.ts';

/** A deployment that keeps failing is not retried any more until it changes. */
const retriesMax = 15;

export const deploymentController: Controller = {
  name: 'deployment-controller',
  aliases: ['deployment'],
  serviceAccount: 'deployment-controller',
  start(context) {
    const byController = { [controllerIndex]: controllerIndexValues };
    const deployments = context.informers.informer<Deployment>(resources.deployments);
    const sets = context.informers.informer<ReplicaSet>(resources.replicaSets, byController);
    const pods = context.informers.informer<Pod>(resources.pods, byController);
    const caches = { deployments: deployments.lister, sets: sets.lister, pods: pods.lister };
    const sync = deploymentSync(context, caches);
    const reconciler = startReconciler(context, {
      queueName: 'deployment',
      retriesMax,
      ready: () => Promise.all([deployments.synced, sets.synced, pods.synced]),
      reconcile: sync,
    });
    deployments.addHandler(onChange(reconciler.addObject));
    const wake = wakers(caches, reconciler);
    sets.addHandler({ added: wake.set, updated: wake.changedSet, deleted: wake.set });
    pods.addHandler({ deleted: wake.lastPodGone });
  },
};

interface Caches {
  readonly deployments: Lister<Deployment>;
  readonly sets: Lister<ReplicaSet>;
  readonly pods: Lister<Pod>;
}

function deploymentSync(context: ControllerContext, { deployments, sets, pods }: Caches) {
  const events = context.events('deployment-controller');
  return async function syncDeployment(key: string): Promise<number | void> {
    const deployment = deployments.byKey(key);
    if (deployment === undefined) return;
    const { namespace = '', name = '' } = deployment.metadata;
    const client = context.client.resource<Deployment>(resources.deployments).namespace(namespace);
    const setClient = context.client.resource<ReplicaSet>(resources.replicaSets);
    const selector = selectorOfCached(deployment.spec?.selector);
    const owned = selector.everything
      ? []
      : await claim({
          owner: deployment,
          ownerKind: deploymentKind,
          selector,
          lister: sets,
          client: setClient,
          fresh: () => client.get(name),
        });
    context.observer?.note?.({
      replicas: deployment.spec?.replicas,
      sets: owned.map(({ metadata, spec }) => `${metadata.name}: ${spec?.replicas}`),
      ...(deployment.spec?.paused === true && { paused: true }),
    });
    const podsOf = (set: ReplicaSet) => pods.byIndex(controllerIndex, set.metadata.uid ?? '');
    const rollout = new Rollout({
      deployment,
      sets: owned,
      podsOf,
      cachedSet: (setName) => sets.get(setName, namespace),
      client,
      setClient: setClient.namespace(namespace),
      events,
      clock: context.clock,
    });
    return selector.everything ? warnAboutSelector(rollout) : reconcileDeployment(rollout);
  };
}

function wakers({ deployments, sets, pods }: Caches, reconciler: Reconciler) {
  const ownerOf = (set: ReplicaSet): Deployment | undefined => {
    const owner = controllerOf(set);
    if (owner?.kind !== deploymentKind.kind) return undefined;
    const found = deployments.get(owner.name, set.metadata.namespace);
    return found?.metadata.uid === owner.uid ? found : undefined;
  };
  const set = (changed: ReplicaSet) => {
    const owner = ownerOf(changed);
    if (owner !== undefined) return reconciler.addObject(owner);
    if (controllerOf(changed) !== undefined) return;
    for (const deployment of deployments.list(changed.metadata.namespace)) {
      const selector = selectorOfCached(deployment.spec?.selector);
      if (!selector.everything && selector.matches(changed.metadata.labels)) reconciler.addObject(deployment);
    }
  };
  return {
    set,
    changedSet(before: ReplicaSet, after: ReplicaSet) {
      if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
      const formerOwner = ownerOf(before);
      if (formerOwner !== undefined && controllerOf(before)?.uid !== controllerOf(after)?.uid)
        reconciler.addObject(formerOwner);
      set(after);
    },
    /** The Recreate strategy waits until the last old pod is gone. */
    lastPodGone(pod: Pod) {
      const owner = controllerOf(pod);
      if (owner?.kind !== 'ReplicaSet') return;
      const set = sets.get(owner.name, pod.metadata.namespace);
      const deployment = set === undefined || set.metadata.uid !== owner.uid ? undefined : ownerOf(set);
      if (deployment?.spec?.strategy?.type !== 'Recreate') return;
      const left = sets
        .byIndex(controllerIndex, deployment.metadata.uid ?? '')
        .some((one) => pods.byIndex(controllerIndex, one.metadata.uid ?? '').length > 0);
      if (!left) reconciler.add(objectKey(deployment));
    },
  };
}
