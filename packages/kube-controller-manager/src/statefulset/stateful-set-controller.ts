/** Runs StatefulSets: pods with stable names and their own volumes. */

import { selectorOfCached } from '@coxswain/apimachinery';
import { objectKey, referenceTo, type Informer } from '@coxswain/client';
import { claim } from '../claim.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import {
  resources,
  type ControllerRevision,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '../objects.ts';
import { controllerIndex, controllerIndexValues, controllerOf } from '../owners.ts';
import { OwnWrites } from '../own-writes.ts';
import { startReconciler } from '../reconciler.ts';
import { Claims } from './claims.ts';
import { isMember, statefulSetKind } from './ordinals.ts';
import { StatefulSetRun } from './stateful-set-run.ts';
import { reconcileStatefulSet } from './stateful-set-sync.ts';

export const statefulSetController: Controller = {
  name: 'statefulset-controller',
  aliases: ['statefulset'],
  serviceAccount: 'statefulset-controller',
  start(context) {
    const byController = { [controllerIndex]: controllerIndexValues };
    const sets = context.informers.informer<StatefulSet>(resources.statefulSets);
    const pods = context.informers.informer<Pod>(resources.pods, byController);
    const revisions = context.informers.informer<ControllerRevision>(
      resources.controllerRevisions,
      byController,
    );
    const claims = context.informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    const caches = { sets, pods, revisions, claims };
    const ownWrites = new OwnWrites();
    const reconciler = startReconciler(context, {
      queueName: 'statefulset',
      ready: () => Promise.all([sets, pods, revisions, claims].map(({ synced }) => synced)),
      reconcile: syncStatefulSet.bind(undefined, context, caches, ownWrites),
      ownWrites,
    });
    sets.addHandler({
      ...onWrite(reconciler.addObject),
      deleted(set) {
        ownWrites.forget(objectKey(set));
        reconciler.addObject(set);
      },
    });
    const wake = (pod: Pod) => {
      const owner = controllerOf(pod);
      if (owner?.kind === statefulSetKind.kind)
        return reconciler.add(`${pod.metadata.namespace}/${owner.name}`);
      if (owner !== undefined) return;
      for (const set of sets.lister.list(pod.metadata.namespace)) {
        const matches = selectorOfCached(set.spec?.selector).matches(pod.metadata.labels);
        if (matches && isMember(set, pod)) reconciler.add(objectKey(set));
      }
    };
    pods.addHandler({
      added: wake,
      updated(before, after) {
        if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
        if (controllerOf(before)?.uid !== controllerOf(after)?.uid) wake(before);
        wake(after);
      },
      deleted: wake,
    });
  },
};

interface Caches {
  readonly sets: Informer<StatefulSet>;
  readonly pods: Informer<Pod>;
  readonly revisions: Informer<ControllerRevision>;
  readonly claims: Informer<PersistentVolumeClaim>;
}

async function syncStatefulSet(
  context: ControllerContext,
  caches: Caches,
  ownWrites: OwnWrites,
  key: string,
): Promise<number | void> {
  const set = caches.sets.lister.byKey(key);
  if (set === undefined) return ownWrites.forget(key);
  const { client, clock } = context;
  const { namespace = '', name = '' } = set.metadata;
  const events = context.events('statefulset-controller');
  const about = referenceTo(set, statefulSetKind.kind, statefulSetKind.apiVersion);
  const setClient = client.resource<StatefulSet>(resources.statefulSets).namespace(namespace);
  const shared = {
    owner: set,
    ownerKind: statefulSetKind,
    selector: selectorOfCached(set.spec?.selector),
    fresh: () => setClient.get(name),
  };
  const revisionClient = client.resource<ControllerRevision>(resources.controllerRevisions);
  const podClient = client.resource<Pod>(resources.pods);
  const revisions = await claim({ ...shared, lister: caches.revisions.lister, client: revisionClient });
  const pods = await claim({
    ...shared,
    lister: caches.pods.lister,
    client: podClient,
    filter: (pod) => isMember(set, pod),
    wrote: (pod) => ownWrites.wrote(key, caches.pods, pod),
  });
  const run = new StatefulSetRun({
    set,
    pods: pods.filter((pod) => isMember(set, pod)),
    revisions,
    claims: new Claims({
      set,
      lister: caches.claims.lister,
      client: client.resource<PersistentVolumeClaim>(resources.persistentVolumeClaims).namespace(namespace),
      wrote: (volumeClaim) => ownWrites.wrote(key, caches.claims, volumeClaim),
      report: (type, reason, message) => events.event(about, type, reason, message),
    }),
    setClient,
    podClient: podClient.namespace(namespace),
    revisionClient: revisionClient.namespace(namespace),
    events,
    observer: context.observer,
    nowMs: clock.now(),
    wrote: (object) => ownWrites.wrote(key, object.kind === 'Pod' ? caches.pods : caches.sets, object),
  });
  const status = await reconcileStatefulSet(run);
  const { minReadySeconds = 0 } = set.spec ?? {};
  if (minReadySeconds > 0 && status.availableReplicas !== (status.readyReplicas ?? 0))
    return minReadySeconds * 1000;
}
