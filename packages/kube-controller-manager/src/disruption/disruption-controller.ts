/** Maintains the number of disruptions that each PodDisruptionBudget allows. */

import {
  deepEqual,
  epochMsOf,
  formatGroupResource,
  isStatusError,
  selectorOfCached,
  type KubeObject,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { discoveryClient, objectKey, referenceTo, restMapper, type Lister } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { onChange } from '../event-handlers.ts';
import {
  resources,
  type Deployment,
  type Pod,
  type PodDisruptionBudget,
  type ReplicaSet,
  type StatefulSet,
} from '../objects.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { controllerOf } from '../owners.ts';
import { isFinished, podCondition } from '../pods/pod-state.ts';
import { startReconciler } from '../reconciler.ts';
import {
  budgetStatus,
  disruptedPods,
  expectedPods,
  failedStatus,
  needsScale,
  selectorText,
  type BudgetStatus,
} from './plan.ts';

const budgetKind = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' } as const;
/** A pod marked for disruption that still exists after this time was not disrupted. */
const staleConditionMs = 2 * 60_000;

export const disruptionController: Controller = {
  name: 'disruption-controller',
  aliases: ['disruption'],
  serviceAccount: 'disruption-controller',
  start(context) {
    const budgets = context.informers.informer<PodDisruptionBudget>(resources.podDisruptionBudgets);
    const pods = context.informers.informer<Pod>(resources.pods);
    const deployments = context.informers.informer<Deployment>(resources.deployments);
    const sets = context.informers.informer<ReplicaSet>(resources.replicaSets);
    const controllers = context.informers.informer<KubeObject>(resources.replicationControllers);
    const statefulSets = context.informers.informer<StatefulSet>(resources.statefulSets);
    const all = [budgets, pods, deployments, sets, controllers, statefulSets];
    const ready = () => Promise.all(all.map(({ synced }) => synced));
    const work = new Budgets(context, {
      budgets: budgets.lister,
      pods: pods.lister,
      deployments: deployments.lister,
      sets: sets.lister,
      controllers: controllers.lister,
      statefulSets: statefulSets.lister,
    });
    const reconciler = startReconciler(context, {
      queueName: 'disruption',
      ready,
      reconcile: work.syncDisruptionBudget.bind(work),
    });
    const stale = startReconciler(context, {
      queueName: 'stale_pod_disruption',
      ready,
      reconcile: work.clearStaleCondition.bind(work),
    });
    budgets.addHandler(onChange(reconciler.addObject));
    const wake = (pod: Pod) => {
      const matching = budgets.lister
        .list(pod.metadata.namespace)
        .filter(({ spec }) => selectorOfCached(spec?.selector).matches(pod.metadata.labels));
      for (const budget of matching) reconciler.addObject(budget);
      if (matching.length > 1) work.warnOfSeveral(pod, matching[0]!);
    };
    const wakeStale = (pod: Pod) => {
      const waitMs = staleInMs(pod, context.clock.now());
      if (waitMs !== undefined) stale.addAfter(objectKey(pod), waitMs);
    };
    pods.addHandler({
      added(pod) {
        wake(pod);
        wakeStale(pod);
      },
      updated(before, after) {
        if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
        wake(after);
        wakeStale(after);
      },
      deleted: wake,
    });
  },
};

/**
 * Returns the time until the DisruptionTarget condition of a pod that isn't being deleted is considered stale;
 * undefined without such a condition.
 */
function staleInMs(pod: Pod, nowMs: number): number | undefined {
  const condition = podCondition(pod, 'DisruptionTarget');
  if (pod.metadata.deletionTimestamp !== undefined || isFinished(pod) || condition?.status !== 'True')
    return undefined;
  if (condition.reason === 'TerminationByKubelet' || !condition.lastTransitionTime) return undefined;
  return Math.max(0, epochMsOf(condition.lastTransitionTime) + staleConditionMs - nowMs);
}

interface Caches {
  readonly budgets: Lister<PodDisruptionBudget>;
  readonly pods: Lister<Pod>;
  readonly deployments: Lister<Deployment>;
  readonly sets: Lister<ReplicaSet>;
  readonly controllers: Lister<KubeObject>;
  readonly statefulSets: Lister<StatefulSet>;
}

interface Owner {
  readonly uid: string;
  readonly replicas: number;
}

class Budgets {
  readonly #context: ControllerContext;
  readonly #caches: Caches;

  constructor(context: ControllerContext, caches: Caches) {
    this.#context = context;
    this.#caches = caches;
  }

  async syncDisruptionBudget(key: string): Promise<number | void> {
    const budget = this.#caches.budgets.byKey(key);
    if (budget === undefined) return;
    try {
      return await this.#sync(budget);
    } catch (error) {
      if (isStatusError(error, 'Conflict')) throw error;
      await this.#write(budget, failedStatus(budget, messageOf(error), this.#context.clock.now()));
    }
  }

  async clearStaleCondition(key: string): Promise<number | void> {
    const pod = this.#caches.pods.byKey(key);
    const waitMs = pod === undefined ? undefined : staleInMs(pod, this.#context.clock.now());
    if (pod === undefined || waitMs === undefined) return;
    if (waitMs > 0) return waitMs;
    const ended = disruptionTarget(pod, 'False', this.#context.clock.now());
    const conditions = (pod.status?.conditions ?? []).map((condition) =>
      condition.type === ended.type ? ended : condition,
    );
    const client = this.#context.client.resource<Pod>(resources.pods).namespace(pod.metadata.namespace ?? '');
    await client.updateStatus({ ...pod, status: { ...pod.status, conditions } });
  }

  async #sync(budget: PodDisruptionBudget): Promise<number | void> {
    const selector = selectorOfCached(budget.spec?.selector);
    const pods = this.#caches.pods.list(budget.metadata.namespace, selector);
    if (pods.length === 0) this.#report(budget, 'Normal', 'NoPods', 'No matching pods found');
    const scale = needsScale(budget) ? await this.#reportedScaleOf(budget, pods) : 0;
    const expected = expectedPods(budget, pods, () => scale);
    const nowMs = this.#context.clock.now();
    const disrupted = disruptedPods(budget, pods, nowMs);
    for (const pod of disrupted.overdue) {
      const { namespace } = budget.metadata;
      const text = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
      this.#events.event(referenceTo(pod, 'Pod', 'v1'), 'Warning', 'NotDeleted', text);
    }
    const status = budgetStatus(budget, pods, expected, disrupted, nowMs);
    const { currentHealthy, desiredHealthy, disruptionsAllowed } = status;
    this.#context.observer?.note?.({ currentHealthy, desiredHealthy, disruptionsAllowed });
    await this.#write(budget, status);
    return disrupted.recheckMs;
  }

  async #reportedScaleOf(budget: PodDisruptionBudget, pods: readonly Pod[]): Promise<number> {
    try {
      return await this.#scaleOf(budget, pods);
    } catch (error) {
      const text = `Failed to calculate the number of expected pods: ${messageOf(error)}`;
      this.#report(budget, 'Warning', 'CalculateExpectedPodCountFailed', text);
      throw error;
    }
  }

  /** Returns the number of pods that their owners want, counting each owner once. */
  async #scaleOf(budget: PodDisruptionBudget, pods: readonly Pod[]): Promise<number> {
    const owners = new Map<string, number>();
    const looked = new Set<string>();
    let unmanaged = false;
    for (const pod of pods) {
      const reference = controllerOf(pod);
      if (reference === undefined) {
        unmanaged = true;
        continue;
      }
      if (looked.has(reference.uid)) continue;
      looked.add(reference.uid);
      const owner = await this.#ownerOf(pod);
      if (owner === undefined) throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
      owners.set(owner.uid, owner.replicas);
    }
    if (unmanaged) {
      this.#report(
        budget,
        'Warning',
        'UnmanagedPods',
        `Pods selected by this PodDisruptionBudget (selector: ${selectorText(budget.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`,
      );
    }
    return [...owners.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  async #ownerOf(pod: Pod): Promise<Owner | undefined> {
    const reference = controllerOf(pod)!;
    const { namespace = '' } = pod.metadata;
    const { deployments, sets, controllers, statefulSets } = this.#caches;
    const of = <T extends KubeObject>(lister: Lister<T>, name: string, uid: string): T | undefined => {
      const found = lister.get(name, namespace);
      return found?.metadata.uid === uid ? found : undefined;
    };
    const { kind, name, uid } = reference;
    if (kind === 'ReplicaSet') {
      const set = of(sets, name, uid);
      const parent = set === undefined ? undefined : controllerOf(set);
      if (set === undefined) return undefined;
      if (parent?.kind !== 'Deployment') return { uid, replicas: set.spec?.replicas ?? 1 };
      const deployment = of(deployments, parent.name, parent.uid);
      return deployment && { uid: parent.uid, replicas: deployment.spec?.replicas ?? 1 };
    }
    if (kind === 'StatefulSet') return ownerFrom(of(statefulSets, name, uid));
    if (kind === 'ReplicationController') return ownerFrom(of(controllers, name, uid));
    return this.#scaled(reference, namespace);
  }

  /** Handles any other kind with a scale subresource. */
  async #scaled(
    { apiVersion, kind, name, uid }: NonNullable<ReturnType<typeof controllerOf>>,
    namespace: string,
  ): Promise<Owner | undefined> {
    const slash = apiVersion.indexOf('/');
    const kindOf = { group: slash < 0 ? '' : apiVersion.slice(0, slash), kind };
    const mapper = restMapper(await discoveryClient(this.#context.client.rest).discover());
    const resource = mapper.forKind(kindOf, apiVersion.slice(slash + 1));
    const client = this.#context.client
      .resource<KubeObject & { spec?: { replicas?: number } }>(resource)
      .namespace(namespace);
    try {
      const scale = await client.get(name, { subresource: 'scale' });
      return scale.metadata.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
      if (resource.subresources.some((one) => one.name === 'scale' && one.kind === 'Scale')) return undefined;
      throw new Error(`${formatGroupResource(resource)} does not implement the scale subresource`, {
        cause: error,
      });
    }
  }

  async #write(budget: PodDisruptionBudget, status: BudgetStatus): Promise<void> {
    if (deepEqual(budget.status, status)) return;
    const { namespace = '' } = budget.metadata;
    await this.#context.client
      .resource<PodDisruptionBudget>(resources.podDisruptionBudgets)
      .namespace(namespace)
      .updateStatus({ ...budget, status });
  }

  /** Such a pod can't be evicted. All of its budgets count it, whereas upstream picks one arbitrarily. */
  warnOfSeveral(pod: Pod, { metadata: { name = '' } }: PodDisruptionBudget): void {
    const names = `"${pod.metadata.namespace}"/"${pod.metadata.name}"`;
    const text = `Pod ${names} matches multiple PodDisruptionBudgets.  Chose "${name}" arbitrarily.`;
    this.#events.event(referenceTo(pod, 'Pod', 'v1'), 'Warning', 'MultiplePodDisruptionBudgets', text);
  }

  get #events() {
    return this.#context.events('controllermanager');
  }

  #report(budget: PodDisruptionBudget, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.event(referenceTo(budget, budgetKind.kind, budgetKind.apiVersion), type, reason, message);
  }
}

const ownerFrom = (owner: (KubeObject & { spec?: unknown }) | undefined): Owner | undefined =>
  owner && {
    uid: owner.metadata.uid ?? '',
    replicas: (owner.spec as { replicas?: number } | undefined)?.replicas ?? 1,
  };
