/** Maintains the number of pods requested by a ReplicaSet or ReplicationController. */

import { deepEqual, isStatusError, selectorOfCached, type KubeObject } from '@coxswain/apimachinery';
import {
  Expectations,
  objectKey,
  splitObjectKey,
  type Informer,
  type ResourceClient,
} from '@coxswain/client';
import { claim } from '../claim.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Pod, type ReplicaSet } from '../objects.ts';
import { OwnWrites } from '../own-writes.ts';
import { controllerIndex, controllerIndexValues, controllerOf } from '../owners.ts';
import { isNamespaceTerminating, podControl, podFromTemplate, type PodControl } from '../pods/pod-control.ts';
import { isActive, isTerminating, nextAvailabilityMs } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { startReconciler, type Reconciler } from '../reconciler.ts';
import { planReplicas, replicaSetStatus } from './plan.ts';
import { replicaSetForm, type ReplicaForm } from './replica-form.ts';
import { replicationControllerForm } from './replication-controller.ts';

/** A sync handles all pods of a set, so after a change a large set waits this long per pod for further changes. */
const settleMsPerPod = 0.1;
/** Smaller sets don't wait. */
const settlingPodsMin = 100;

export const replicaSetController: Controller = {
  name: 'replicaset-controller',
  aliases: ['replicaset'],
  serviceAccount: 'replicaset-controller',
  start: (context) => startReplicas(context, replicaSetForm),
};

export const replicationControllerController: Controller = {
  name: 'replicationcontroller-controller',
  aliases: ['replicationcontroller'],
  serviceAccount: 'replication-controller',
  start: (context) => startReplicas(context, replicationControllerForm),
};

function startReplicas(context: ControllerContext, form: ReplicaForm): void {
  const sets = context.informers.informer<KubeObject>(form.resource, {
    [controllerIndex]: controllerIndexValues,
  });
  const pods = context.informers.informer<Pod>(resources.pods, { [controllerIndex]: controllerIndexValues });
  const replicas = new Replicas(context, form, sets, pods);
  const reconciler = startReconciler(context, {
    queueName: form.queueName,
    ready: () => Promise.all([sets.synced, pods.synced]),
    reconcile: replicas.syncReplicaSet.bind(replicas),
    ownWrites: replicas.ownWrites,
  });
  watchSets(sets, reconciler, replicas);
  watchPods(pods, sets, form, reconciler, replicas);
}

function watchSets(sets: Informer<KubeObject>, reconciler: Reconciler, replicas: Replicas): void {
  const forget = (set: KubeObject) => replicas.forget(objectKey(set));
  sets.addHandler({
    added: (set) => reconciler.addObject(set),
    updated(before, after) {
      if (before.metadata.uid !== after.metadata.uid) forget(before);
      reconciler.addObject(after);
    },
    deleted(set) {
      forget(set);
      reconciler.addObject(set);
    },
  });
}

function watchPods(
  pods: Informer<Pod>,
  { lister: sets }: Informer<KubeObject>,
  form: ReplicaForm,
  reconciler: Reconciler,
  { expectations, settleMs }: Pick<Replicas, 'expectations' | 'settleMs'>,
): void {
  const wake = (key: string) => reconciler.addAfter(key, settleMs(key));
  const ownerKey = (pod: Pod): string | undefined => {
    const owner = controllerOf(pod);
    if (owner?.kind !== form.kind.kind) return undefined;
    const key = `${pod.metadata.namespace}/${owner.name}`;
    return sets.byKey(key)?.metadata.uid === owner.uid ? key : undefined;
  };
  const wakeMatching = (pod: Pod) => {
    for (const set of sets.list(pod.metadata.namespace)) {
      const selector = selectorOfCached(form.read(set).spec?.selector);
      if (!selector.everything && selector.matches(pod.metadata.labels)) reconciler.addObject(set);
    }
  };
  const gone = (pod: Pod) => {
    const key = ownerKey(pod);
    if (key === undefined) return;
    expectations.deletionObserved(key, objectKey(pod));
    wake(key);
  };
  pods.addHandler({
    added(pod) {
      if (pod.metadata.deletionTimestamp !== undefined) return gone(pod);
      if (controllerOf(pod) === undefined) return wakeMatching(pod);
      const key = ownerKey(pod);
      if (key === undefined) return;
      expectations.creationObserved(key);
      wake(key);
    },
    updated(before, after) {
      if (before === after || before.metadata.resourceVersion === after.metadata.resourceVersion) return;
      if (after.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined)
        gone(after);
      const ownerBefore = controllerOf(before);
      const owner = controllerOf(after);
      const keyBefore =
        ownerBefore !== undefined && ownerBefore.uid !== owner?.uid ? ownerKey(before) : undefined;
      if (keyBefore !== undefined) reconciler.add(keyBefore);
      if (owner === undefined) {
        if (ownerBefore !== undefined || !sameLabels(before, after)) wakeMatching(after);
        return;
      }
      const key = ownerKey(after);
      if (key !== undefined) wake(key);
    },
    deleted: gone,
  });
}

const sameLabels = (a: Pod, b: Pod): boolean => deepEqual(a.metadata.labels, b.metadata.labels);

class Replicas {
  readonly expectations: Expectations;
  readonly ownWrites = new OwnWrites();
  readonly #context: ControllerContext;
  readonly #form: ReplicaForm;
  readonly #sets: Informer<KubeObject>;
  readonly #pods: Informer<Pod>;
  readonly #control: PodControl;
  readonly #setClient: ResourceClient<KubeObject>;
  readonly #podClient: ResourceClient<Pod>;
  /** For large sets only. */
  readonly #podCounts = new Map<string, number>();

  constructor(
    context: ControllerContext,
    form: ReplicaForm,
    sets: Informer<KubeObject>,
    pods: Informer<Pod>,
  ) {
    this.#context = context;
    this.#form = form;
    this.#sets = sets;
    this.#pods = pods;
    this.expectations = new Expectations(context.clock);
    this.#control = podControl(context.client, context.events(form.eventSource), (owner, pod) =>
      this.ownWrites.wrote(objectKey(owner), pods, pod),
    );
    this.#setClient = context.client.resource(form.resource);
    this.#podClient = context.client.resource<Pod>(resources.pods);
  }

  async syncReplicaSet(key: string): Promise<number | void> {
    const object = this.#sets.lister.byKey(key);
    if (object === undefined) return this.forget(key);
    const set = this.#form.read(object);
    const mayManage = this.expectations.satisfied(key);
    const pods = await this.#claim(set);
    if (pods.length < settlingPodsMin) this.#podCounts.delete(key);
    else this.#podCounts.set(key, pods.length);
    const active = pods.filter(isActive);
    const terminating = pods.filter(isTerminating);
    this.#context.observer?.note?.({
      wanted: set.spec?.replicas,
      active: active.length,
      terminating: terminating.length,
      expectationsSatisfied: mayManage,
    });
    const failure =
      mayManage && set.metadata.deletionTimestamp === undefined
        ? await this.#manage(key, set, active)
        : undefined;
    const nowMs = this.#context.clock.now();
    const status = replicaSetStatus(set, { active, terminating, failure, nowMs });
    const updated = await this.#updateStatus(object, status);
    this.ownWrites.wrote(key, this.#sets, updated);
    if (failure !== undefined) throw failure;
    if (
      updated.status?.readyReplicas === set.spec?.replicas &&
      updated.status?.availableReplicas !== set.spec?.replicas
    ) {
      return nextAvailabilityMs(active, set.spec?.minReadySeconds ?? 0, nowMs);
    }
  }

  /** How long a change of one of its pods waits for others. */
  readonly settleMs = (key: string): number => settleMsPerPod * (this.#podCounts.get(key) ?? 0);

  forget(key: string): void {
    this.#podCounts.delete(key);
    this.expectations.forget(key);
    this.ownWrites.forget(key);
  }

  #claim(set: ReplicaSet): Promise<Pod[]> {
    const { namespace = '', name = '' } = set.metadata;
    return claim({
      owner: set,
      ownerKind: this.#form.kind,
      selector: selectorOfCached(set.spec?.selector),
      lister: this.#pods.lister,
      client: this.#podClient,
      fresh: () => this.#setClient.namespace(namespace).get(name),
      filter: isActive,
      wrote: (pod) => this.ownWrites.wrote(objectKey(set), this.#pods, pod),
    });
  }

  /** Returns the error, if any. */
  async #manage(key: string, set: ReplicaSet, active: readonly Pod[]): Promise<unknown> {
    const plan = planReplicas(
      set.spec?.replicas ?? 1,
      active,
      () => this.#related(set, active),
      this.#context.clock.now(),
    );
    if (plan.do === 'create') return this.#create(key, set, plan.count);
    if (plan.do === 'delete') return this.#delete(key, set, plan.pods);
    return undefined;
  }

  async #create(key: string, set: ReplicaSet, count: number): Promise<unknown> {
    const { kind } = this.#form;
    this.expectations.expectCreations(key, count);
    const pod = podFromTemplate(set.spec!.template!, set, kind);
    const { succeeded, failure } = await slowStart(count, async () => {
      try {
        await this.#control.create(set, kind, pod);
      } catch (error) {
        // Nothing can, or needs to, be done about it.
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
    this.expectations.creationObserved(key, count - succeeded);
    return failure;
  }

  async #delete(key: string, set: ReplicaSet, pods: readonly Pod[]): Promise<unknown> {
    this.expectations.expectDeletions(key, pods.map(objectKey));
    const results = await Promise.allSettled(pods.map((pod) => this.#deleteOne(key, set, pod)));
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  async #deleteOne(key: string, set: ReplicaSet, pod: Pod): Promise<void> {
    try {
      await this.#control.delete(set, this.#form.kind, pod);
    } catch (error) {
      this.expectations.deletionObserved(key, objectKey(pod));
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }

  /** The active pods of all sets with the same owner, including this one. */
  #related(set: ReplicaSet, active: readonly Pod[]): readonly Pod[] {
    const owner = controllerOf(set);
    if (owner === undefined) return active;
    return this.#sets.lister
      .byIndex(controllerIndex, owner.uid)
      .flatMap((sibling) => this.#pods.lister.byIndex(controllerIndex, sibling.metadata.uid ?? ''))
      .filter(isActive);
  }

  async #updateStatus(object: KubeObject, status: NonNullable<ReplicaSet['status']>): Promise<ReplicaSet> {
    const set = this.#form.read(object);
    if (deepEqual(set.status, status)) return set;
    const { namespace = '', name = '' } = splitObjectKey(objectKey(object));
    const client = this.#setClient.namespace(namespace);
    try {
      return this.#form.read(await client.updateStatus(this.#form.withStatus(object, status)));
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw error;
      const fresh = await client.get(name);
      return this.#form.read(await client.updateStatus(this.#form.withStatus(fresh, status)));
    }
  }
}
