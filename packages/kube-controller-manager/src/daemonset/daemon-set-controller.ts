/** Maintains one pod of each DaemonSet on every eligible node. */

import {
  aggregateText,
  deepEqual,
  isStatusError,
  labelSelectorFromSpec,
  type KubeObject,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  Expectations,
  objectKey,
  referenceTo,
  type Informer,
  type Lister,
  type ResourceClient,
} from '@coxswain/client';
import { claim } from '../claim.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import {
  byRevision,
  revisionData,
  revisionHashLabel,
  sameData,
  truncateHistory,
} from '../history/revisions.ts';
import { resources, type ControllerRevision, type DaemonSet, type Node, type Pod } from '../objects.ts';
import { controllerIndex, controllerIndexValues, controllerOf, controllerReference } from '../owners.ts';
import { OwnWrites } from '../own-writes.ts';
import { podTemplateHash } from '../pod-template-hash/pod-template-hash.ts';
import { isNamespaceTerminating, podControl } from '../pods/pod-control.ts';
import { slowStart } from '../pods/slow-start.ts';
import { startReconciler } from '../reconciler.ts';
import { FailedPodBackOff } from './failed-pod-back-off.ts';
import { daemonPodMaker, daemonSetKind, fitOf } from './daemon-pod.ts';
import {
  daemonSetStatus,
  groupByNode,
  planPlacement,
  planUpdate,
  type DaemonPlan,
  type DaemonView,
} from './plan.ts';

const burstReplicas = 250;
const historyLimitDefault = 10;

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
    const work = new DaemonSets(context, caches);
    const reconciler = startReconciler(context, {
      queueName: 'daemonset',
      ready: () => Promise.all([sets, pods, nodes, revisions].map(({ synced }) => synced)),
      reconcile: work.syncDaemonSet.bind(work),
      ownWrites: work.ownWrites,
    });
    sets.addHandler({
      added: reconciler.addObject,
      updated: (_before, after) => reconciler.addObject(after),
      deleted(set) {
        work.forget(objectKey(set));
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
        const selector = labelSelectorFromSpec(set.spec?.selector);
        if (!selector.everything && selector.matches(pod.metadata.labels)) reconciler.addObject(set);
      }
    };
    pods.addHandler({
      added(pod) {
        const key = ownerKey(pod);
        if (key === undefined) return controllerOf(pod) === undefined ? wakeMatching(pod) : undefined;
        if (pod.metadata.deletionTimestamp === undefined) work.expectations.creationObserved(key);
        reconciler.add(key);
      },
      updated(before, after) {
        if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
        const key = ownerKey(after);
        if (key !== undefined && after.metadata.deletionTimestamp !== undefined)
          work.expectations.deletionObserved(key, objectKey(after));
        if (key !== undefined) reconciler.add(key);
        const former = controllerOf(before)?.uid === controllerOf(after)?.uid ? undefined : ownerKey(before);
        if (former !== undefined) reconciler.add(former);
      },
      deleted(pod) {
        const key = ownerKey(pod);
        if (key === undefined) return;
        work.expectations.deletionObserved(key, objectKey(pod));
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
        for (const set of sets.lister.list()) if (work.isConcernedBy(set, after)) reconciler.addObject(set);
      },
    });
  },
};

interface Caches {
  readonly sets: Informer<DaemonSet>;
  readonly pods: Informer<Pod>;
  readonly nodes: Lister<Node>;
  readonly revisions: Lister<ControllerRevision>;
}

interface History {
  readonly hash: string;
  readonly old: readonly ControllerRevision[];
}

class DaemonSets {
  readonly expectations: Expectations;
  readonly ownWrites = new OwnWrites();
  readonly #context: ControllerContext;
  readonly #caches: Caches;
  readonly #backOff: FailedPodBackOff;

  constructor(context: ControllerContext, caches: Caches) {
    this.#context = context;
    this.#caches = caches;
    this.expectations = new Expectations(context.clock);
    this.#backOff = new FailedPodBackOff(context.clock);
  }

  /** Whether a changed node needs a pod, can no longer keep its pod, or can do so again. */
  isConcernedBy(set: DaemonSet, node: Node): boolean {
    const { starts, stays } = fitOf(set, node);
    const pods = this.#caches.pods.lister.byIndex(controllerIndex, set.metadata.uid ?? '');
    const isThere = pods.some((pod) => pod.spec?.nodeName === node.metadata.name);
    return isThere ? !stays || (set.status?.numberMisscheduled ?? 0) > 0 : starts;
  }

  forget(key: string): void {
    this.expectations.forget(key);
    this.ownWrites.forget(key);
  }

  async syncDaemonSet(key: string): Promise<number | void> {
    const set = this.#caches.sets.lister.byKey(key);
    if (set === undefined) return this.forget(key);
    const selector = labelSelectorFromSpec(set.spec?.selector);
    if (selector.everything) {
      return this.#report(
        set,
        'Warning',
        'SelectingAll',
        'This daemon set is selecting all pods. A non-empty selector is required.',
      );
    }
    if (set.metadata.deletionTimestamp !== undefined) return;
    const history = await this.#history(set);
    if (!this.expectations.satisfied(key))
      return this.#writeStatus(await this.#view(set, history.hash), false);
    let failure: unknown;
    let againMs: number | undefined;
    try {
      const view = await this.#view(set, history.hash);
      againMs = await this.#place(key, view);
      if (this.expectations.satisfied(key) && set.spec?.updateStrategy?.type === 'RollingUpdate') {
        const current = await this.#view(set, history.hash);
        await this.#carryOut(key, current, planUpdate(current));
      }
      await this.#cleanUp(set, history, view);
    } catch (error) {
      failure = error;
    }
    const later = await this.#writeStatus(await this.#view(set, history.hash), true);
    if (failure !== undefined) throw failure;
    return againMs ?? later;
  }

  async #view(set: DaemonSet, hash: string): Promise<DaemonView> {
    const pods = await this.#claim(set, resources.pods, this.#caches.pods.lister, (pod) =>
      this.#wrotePod(set, pod),
    );
    return {
      set,
      nodes: this.#caches.nodes.list(),
      podsByNode: groupByNode(pods),
      hash,
      nowMs: this.#context.clock.now(),
    };
  }

  #claim<T extends Pod | ControllerRevision>(
    set: DaemonSet,
    resource: (typeof resources)['pods' | 'controllerRevisions'],
    lister: Lister<T>,
    wrote: (object: T) => void = () => {},
  ) {
    const { client } = this.#context;
    const { namespace = '', name = '' } = set.metadata;
    return claim<T>({
      owner: set,
      ownerKind: daemonSetKind,
      selector: labelSelectorFromSpec(set.spec?.selector),
      lister,
      client: client.resource<T>(resource),
      fresh: () => client.resource<DaemonSet>(resources.daemonSets).namespace(namespace).get(name),
      wrote,
    });
  }

  #wrotePod(set: KubeObject, pod: Pod): void {
    this.ownWrites.wrote(objectKey(set), this.#caches.pods, pod);
  }

  // ---- pods

  /** Returns the milliseconds until a failed pod may be replaced, if one has to wait. */
  async #place(key: string, view: DaemonView): Promise<number | undefined> {
    const { set } = view;
    const plan = planPlacement(view);
    const remove = [...plan.remove];
    let againMs: number | undefined;
    for (const { pod, node } of plan.failed) {
      const waitMs = this.#backOff.next(`${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${node}`);
      if (waitMs > 0) {
        againMs = Math.min(againMs ?? Infinity, waitMs);
        continue;
      }
      const { namespace, name } = pod.metadata;
      this.#report(
        set,
        'Warning',
        'FailedDaemonPod',
        `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`,
      );
      remove.push(pod);
    }
    for (const { pod, node } of plan.succeeded) {
      const { namespace, name } = pod.metadata;
      this.#report(
        set,
        'Normal',
        'SucceededDaemonPod',
        `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`,
      );
      remove.push(pod);
    }
    await this.#carryOut(key, view, { ...plan, remove });
    return againMs;
  }

  async #carryOut(key: string, { set, hash }: DaemonView, plan: DaemonPlan): Promise<void> {
    const create = plan.create.slice(0, burstReplicas);
    const remove = plan.remove.slice(0, burstReplicas);
    this.#context.observer?.note?.({ create, remove: remove.map(objectKey) });
    if (create.length === 0 && remove.length === 0) return;
    this.expectations.expect(key, create.length, remove.map(objectKey));
    const events = this.#context.events('daemonset-controller');
    const control = podControl(this.#context.client, events, (owner, pod) => this.#wrotePod(owner, pod));
    const make = daemonPodMaker(set, hash);
    const { succeeded, failure } = await slowStart(create.length, async (index) => {
      try {
        await control.create(set, daemonSetKind, make(create[index]!));
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
    this.expectations.creationObserved(key, create.length - succeeded);
    const results = await Promise.allSettled(
      remove.map(async (pod) => {
        try {
          await control.delete(set, daemonSetKind, pod);
        } catch (error) {
          this.expectations.deletionObserved(key, objectKey(pod));
          if (!isStatusError(error, 'NotFound')) throw error;
        }
      }),
    );
    const errors = [
      failure,
      ...results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined)),
    ];
    const messages = errors.filter((error) => error !== undefined).map((error) => messageOf(error));
    if (messages.length > 0) throw new Error(aggregateText(messages));
  }

  // ---- history

  async #history(set: DaemonSet): Promise<History> {
    const client = this.#revisions(set);
    const data = revisionData(set.spec!.template);
    const revisions = byRevision(
      await this.#claim(set, resources.controllerRevisions, this.#caches.revisions),
    );
    const old = revisions.filter((revision) => !sameData(revision, data));
    const next = Math.max(0, ...old.map(({ revision }) => revision)) + 1;
    const current = revisions.findLast((revision) => sameData(revision, data));
    if (current === undefined) return { hash: await this.#snapshot(set, client, data, next), old };
    if (current.revision < next) await client.update({ ...current, revision: next });
    return { hash: current.metadata.labels?.[revisionHashLabel] ?? '', old };
  }

  async #snapshot(
    set: DaemonSet,
    client: ResourceClient<ControllerRevision>,
    data: Record<string, unknown>,
    revision: number,
  ): Promise<string> {
    const hash = podTemplateHash(set.spec!.template, set.status?.collisionCount);
    const { namespace = '', annotations } = set.metadata;
    const name = `${set.metadata.name}-${hash}`;
    const metadata = {
      name,
      namespace,
      labels: { ...set.spec!.template.metadata?.labels, [revisionHashLabel]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(daemonSetKind, set)],
    };
    try {
      await client.create({
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata,
        data,
        revision,
      } as unknown as ControllerRevision);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error;
      if (!sameData(await client.get(name), data)) {
        await this.#raiseCollisions(set);
        throw error;
      }
    }
    return hash;
  }

  async #raiseCollisions(set: DaemonSet): Promise<void> {
    const { namespace = '', name = '' } = set.metadata;
    const client = this.#context.client.resource<DaemonSet>(resources.daemonSets).namespace(namespace);
    const latest = await client.get(name);
    const collisionCount = (latest.status?.collisionCount ?? 0) + 1;
    await client.updateStatus({ ...latest, status: { ...latest.status!, collisionCount } });
  }

  async #cleanUp(set: DaemonSet, { old }: History, { podsByNode }: DaemonView): Promise<void> {
    const live = new Set(
      [...podsByNode.values()].flat().map(({ metadata }) => metadata.labels?.[revisionHashLabel]),
    );
    const unused = old.filter(({ metadata }) => !live.has(metadata.labels?.[revisionHashLabel]));
    const limit = (set.spec?.revisionHistoryLimit ?? historyLimitDefault) - (old.length - unused.length);
    await truncateHistory(this.#revisions(set), unused, Math.max(0, limit));
  }

  #revisions(set: DaemonSet): ResourceClient<ControllerRevision> {
    return this.#context.client
      .resource<ControllerRevision>(resources.controllerRevisions)
      .namespace(set.metadata.namespace ?? '');
  }

  // ---- status

  async #writeStatus(view: DaemonView, observed: boolean): Promise<number | void> {
    const { set } = view;
    const status = daemonSetStatus(view, observed);
    if (!deepEqual(set.status, status)) {
      const { namespace = '', name = '' } = set.metadata;
      const client = this.#context.client.resource<DaemonSet>(resources.daemonSets).namespace(namespace);
      try {
        this.#wroteSet(await client.updateStatus({ ...set, status }));
      } catch (error) {
        if (!isStatusError(error, 'Conflict')) throw error;
        // Counts are written to the current status, so that concurrent changes by others are kept.
        const latest = await client.get(name);
        const known = { ...view, set: { ...set, status: latest.status } };
        this.#wroteSet(await client.updateStatus({ ...latest, status: daemonSetStatus(known, observed) }));
      }
    }
    const { minReadySeconds = 0 } = set.spec ?? {};
    if (minReadySeconds > 0 && status.numberReady !== (status.numberAvailable ?? 0))
      return minReadySeconds * 1000;
  }

  #wroteSet(set: DaemonSet): void {
    this.ownWrites.wrote(objectKey(set), this.#caches.sets, set);
  }

  #report(set: DaemonSet, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = referenceTo(set, daemonSetKind.kind, daemonSetKind.apiVersion);
    this.#context.events('daemonset-controller').event(about, type, reason, message);
  }
}
