/** Deletes objects whose owners are gone; handles foreground deletion and orphaning of dependents. */

import {
  apiVersionOf,
  isStatusError,
  type GroupVersionResource,
  type KubeObject,
  type OwnerReference,
  type StepDetail,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  discoveryClient,
  restMapper,
  type ApiResource,
  type DeleteOptions,
  type ResourceClient,
  type RestMapper,
} from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { startReconciler, type Reconciler } from '../reconciler.ts';
import {
  OwnerGraph,
  blockingDependents,
  foregroundFinalizer,
  hasFinalizer,
  identityText,
  orphanFinalizer,
  type GraphNode,
  type Identity,
} from './graph.ts';

/** The interval of discovery. */
const discoveryPeriodMs = 30_000;
/** The maximum number of owners cached as absent. */
const absentOwnersMax = 500;
const workers = 20;
/** The number of attempts in case of conflicts. */
const conflictTriesMax = 5;

const ignored: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);

export const garbageCollector: Controller = {
  name: 'garbage-collector-controller',
  aliases: ['garbagecollector'],
  serviceAccount: 'generic-garbage-collector',
  start(context) {
    if (context.settings.enableGarbageCollector) context.run(new GarbageCollector(context).run());
  },
};

interface Monitor {
  readonly stop: AbortController;
}

class GarbageCollector {
  readonly #context: ControllerContext;
  readonly #graph: OwnerGraph;
  readonly #examinations: Reconciler;
  readonly #orphanings: Reconciler;
  readonly #monitors = new Map<string, Monitor>();
  readonly #absent = new Set<string>();
  readonly #ready = Promise.withResolvers<void>();
  #mapper: RestMapper | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    const nameOf = (uid: string): string => reportedName(this.#graph.node(uid), uid);
    const options = { workers, ready: () => this.#ready.promise, nameOf };
    this.#examinations = startReconciler(context, {
      queueName: 'garbage_collector_attempt_to_delete',
      ...options,
      reconcile: this.#examine.bind(this),
    });
    this.#orphanings = startReconciler(context, {
      queueName: 'garbage_collector_attempt_to_orphan',
      ...options,
      reconcile: this.#orphan.bind(this),
    });
    this.#graph = new OwnerGraph({
      examine: (node) => this.#examinations.add(node.identity.uid),
      orphan: (node) => this.#orphanings.add(node.identity.uid),
      invalidNamespace: (dependent, ownerUid) => this.#reportInvalidNamespace(dependent, ownerUid),
    });
  }

  /** Maintains a monitor for each kind of deletable objects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#context;
    while (!signal.aborted) {
      await this.#followKinds().catch((error: unknown) => this.#context.onError(error));
      this.#ready.resolve();
      await clock.sleep(discoveryPeriodMs, signal).catch(() => undefined);
    }
  }

  async #followKinds(): Promise<void> {
    const discovered = await discoveryClient(this.#context.client.rest).discover();
    this.#mapper = restMapper(discovered);
    const served = new Map<string, ApiResource>();
    for (const found of discovered.resources) {
      const key = `${found.group}/${found.resource}`;
      const usable = ['delete', 'list', 'watch'].every((verb) => found.verbs.includes(verb));
      if (usable && !served.has(key) && !ignored.has(key)) served.set(key, found);
    }
    const synced: Promise<void>[] = [];
    for (const [key, found] of served) if (!this.#monitors.has(key)) synced.push(this.#monitor(key, found));
    for (const [key, monitor] of this.#monitors) {
      const group = key.slice(0, key.indexOf('/'));
      const isUnknown = discovered.failures.some(({ groupVersion }) => groupVersion.startsWith(`${group}/`));
      if (served.has(key) || isUnknown) continue;
      monitor.stop.abort();
      this.#monitors.delete(key);
    }
    // A kind that can't be listed must not prevent the collection of all others.
    const enough = new AbortController();
    const { clock, signal } = this.#context;
    const until = AbortSignal.any([enough.signal, signal]);
    const patience = clock.sleep(discoveryPeriodMs, until).catch(() => undefined);
    await Promise.race([Promise.all(synced), patience]);
    enough.abort();
  }

  #monitor(key: string, found: ApiResource): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#context.signal]);
    const informer = this.#context.informers.metadataInformer(found, signal);
    const kind = { apiVersion: apiVersionOf(found), kind: found.kind };
    const remove = informer.addHandler({
      added: (object) => this.#graph.upsert(object, kind),
      updated: (before, after) => this.#graph.upsert(after, kind, before),
      deleted: ({ metadata }) => this.#graph.remove(metadata.uid ?? ''),
    });
    stop.signal.addEventListener('abort', remove, { once: true });
    this.#monitors.set(key, { stop });
    return informer.synced;
  }

  /** Reports details to the observer. */
  #report(values: StepDetail): void {
    this.#context.observer?.note?.(values);
  }

  // ---- one object

  async #examine(uid: string): Promise<void> {
    const node = this.#graph.node(uid);
    if (node === undefined || (node.beingDeleted && !node.deletingDependents)) return;
    this.#report({ object: reportedNode(node), deletingDependents: node.deletingDependents });
    const latest = await this.#read(node.identity);
    if (latest === undefined || latest.metadata.uid !== uid) return this.#noteAbsent(node);
    if (!node.observed) throw new Error(`${identityText(node.identity)} was not seen yet`);
    if (node.deletingDependents) return this.#awaitDependents(node);
    const { ownerReferences = [] } = latest.metadata;
    if (ownerReferences.length === 0) return;
    const owners = await this.#classify(node, ownerReferences);
    if (owners === undefined) return;
    this.#report({
      owners: Object.fromEntries(
        Object.entries(owners).map(([state, those]) => [state, those.map(ownerText)]),
      ),
      dependents: node.dependents.size,
    });
    const lost = [...owners.dangling, ...owners.waiting];
    if (owners.solid.length > 0) {
      if (lost.length > 0)
        await this.#removeOwners(
          node,
          lost.map((owner) => owner.uid),
        );
    } else if (owners.waiting.length > 0 && node.dependents.size > 0)
      await this.#deleteInForeground(node, latest);
    else await this.#delete(node, latest, policyOf(latest));
  }

  /** Undefined if the references are invalid, so that nothing can be done. */
  async #classify(node: GraphNode, references: readonly OwnerReference[]) {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const owner = await this.#owner(node, reference);
      if (owner === 'unreachable') return undefined;
      if (owner === undefined) dangling.push(reference);
      else if (owner.metadata.deletionTimestamp !== undefined && hasFinalizer(owner, foregroundFinalizer))
        waiting.push(reference);
      else solid.push(reference);
    }
    return { solid, dangling, waiting };
  }

  /** Returns the owner's current state; undefined if there is no such object with that uid. */
  async #owner(node: GraphNode, reference: OwnerReference): Promise<KubeObject | 'unreachable' | undefined> {
    const resource = this.#resourceOf(reference);
    const { namespace } = node.identity;
    // A cluster-scoped object can't be owned by a namespaced one.
    if (resource.namespaced && namespace === '') return 'unreachable';
    const { apiVersion, kind, name, uid } = reference;
    const identity = { apiVersion, kind, name, uid, namespace: resource.namespaced ? namespace : '' };
    const key = identityText(identity);
    if (this.#absent.has(key)) return undefined;
    const owner = await this.#read(identity);
    if (owner?.metadata.uid === uid) return owner;
    this.#rememberAbsent(key);
    return undefined;
  }

  async #awaitDependents(node: GraphNode): Promise<void> {
    const blocking = blockingDependents(node);
    this.#report({ blockedBy: blocking.map(reportedNode) });
    if (blocking.length === 0) return this.#removeFinalizer(node, foregroundFinalizer);
    for (const dependent of blocking)
      if (!dependent.deletingDependents) this.#examinations.add(dependent.identity.uid);
  }

  async #deleteInForeground(node: GraphNode, latest: KubeObject): Promise<void> {
    // Two objects that wait for each other would wait forever.
    if ([...node.dependents].some((dependent) => dependent.deletingDependents))
      await this.#unblockOwners(node);
    await this.#delete(node, latest, 'Foreground');
  }

  async #delete(
    node: GraphNode,
    latest: KubeObject,
    propagationPolicy: NonNullable<DeleteOptions['propagationPolicy']>,
  ) {
    const { uid = '', resourceVersion = '' } = latest.metadata;
    try {
      await this.#client(node.identity).delete(node.identity.name, {
        propagationPolicy,
        // Fails if its owners changed in the meantime.
        preconditions: { uid, resourceVersion },
      });
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
      this.#noteAbsent(node);
    }
  }

  /** Orphans all dependents of an object that is being deleted, then removes its finalizer. */
  async #orphan(uid: string): Promise<void> {
    const node = this.#graph.node(uid);
    if (node === undefined) return;
    this.#report({ object: reportedNode(node), orphans: [...node.dependents].map(reportedNode) });
    const results = await Promise.allSettled(
      [...node.dependents].map((dependent) => this.#removeOwners(dependent, [uid])),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw new Error(
        `failed to orphan dependents of owner ${identityText(node.identity)}: ${messageOf(failed.reason)}`,
      );
    }
    await this.#removeFinalizer(node, orphanFinalizer);
  }

  // ---- changes

  async #removeOwners(node: GraphNode, uids: readonly string[]): Promise<void> {
    const ownerReferences = uids.map((uid) => ({ $patch: 'delete', uid }));
    const patch = { metadata: { ownerReferences, uid: node.identity.uid } };
    await this.#patchOwners(node, patch, (owners) => owners.filter((owner) => !uids.includes(owner.uid)));
  }

  async #unblockOwners(node: GraphNode): Promise<void> {
    const blocking = node.owners.filter((owner) => owner.blockOwnerDeletion);
    const ownerReferences = blocking.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    const patch = { metadata: { ownerReferences, uid: node.identity.uid } };
    await this.#patchOwners(node, patch, (owners) =>
      owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    );
  }

  /** Custom resources don't support strategic merge patches, so they get the whole list. */
  async #patchOwners(
    node: GraphNode,
    strategic: unknown,
    change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
  ): Promise<void> {
    const { name } = node.identity;
    const client = this.#client(node.identity);
    try {
      await client.patch(name, strategic);
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return;
      if (!isStatusError(error, 'UnsupportedMediaType')) throw error;
      const { metadata } = await client.get(name);
      const { resourceVersion, ownerReferences = [] } = metadata;
      await client.patch(
        name,
        { metadata: { resourceVersion, ownerReferences: change(ownerReferences) } },
        { type: 'merge' },
      );
    }
  }

  async #removeFinalizer(node: GraphNode, finalizer: string): Promise<void> {
    const { name, uid } = node.identity;
    const client = this.#client(node.identity);
    for (let attempt = 1; ; attempt++) {
      const latest = await this.#read(node.identity);
      if (latest === undefined || latest.metadata.uid !== uid || !hasFinalizer(latest, finalizer)) return;
      const { resourceVersion, finalizers = [] } = latest.metadata;
      const kept = finalizers.filter((other) => other !== finalizer);
      try {
        await client.patch(name, { metadata: { resourceVersion, finalizers: kept } }, { type: 'merge' });
        return;
      } catch (error) {
        if (isStatusError(error, 'NotFound')) return;
        if (!isStatusError(error, 'Conflict') || attempt === conflictTriesMax) throw error;
      }
    }
  }

  // ---- looking up

  async #read(identity: Identity): Promise<KubeObject | undefined> {
    try {
      return await this.#client(identity).get(identity.name);
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #client(identity: Identity): ResourceClient<KubeObject> {
    const resource = this.#resourceOf(identity);
    const client = this.#context.client.resource(resource).metadataOnly();
    return resource.namespaced ? client.namespace(identity.namespace) : client;
  }

  /** @throws NoMatchError while the kind is not served, since nothing is known about its objects then */
  #resourceOf({
    apiVersion,
    kind,
  }: {
    readonly apiVersion: string;
    readonly kind: string;
  }): ApiResource & GroupVersionResource {
    const slash = apiVersion.indexOf('/');
    const group = slash < 0 ? '' : apiVersion.slice(0, slash);
    if (this.#mapper === undefined) throw new Error('discovery has not completed yet');
    return this.#mapper.forKind({ group, kind }, apiVersion.slice(slash + 1));
  }

  #noteAbsent(node: GraphNode): void {
    this.#rememberAbsent(identityText(node.identity));
    this.#graph.verifiedAbsent(node.identity);
  }

  #rememberAbsent(key: string): void {
    this.#absent.add(key);
    if (this.#absent.size > absentOwnersMax) this.#absent.delete(this.#absent.values().next().value!);
  }

  #reportInvalidNamespace(dependent: GraphNode, ownerUid: string): void {
    const reference = dependent.owners.find((owner) => owner.uid === ownerUid);
    if (reference === undefined) return;
    const { apiVersion, kind, name, namespace, uid } = dependent.identity;
    const owner = { ...reference, namespace };
    const text = `ownerRef ${identityText(owner)} does not exist in namespace "${namespace}"`;
    const about = { kind, apiVersion, namespace, name, uid };
    this.#context
      .events('garbage-collector-controller')
      .event(about, 'Warning', 'OwnerRefInvalidNamespace', text);
  }
}

function policyOf(object: KubeObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(object, orphanFinalizer)) return 'Orphan';
  return hasFinalizer(object, foregroundFinalizer) ? 'Foreground' : 'Background';
}

/** `ReplicaSet default/web` */
const reportedNode = ({ identity: { kind, namespace, name } }: GraphNode): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;

/** If the object is gone, only its uid is known. */
const reportedName = (node: GraphNode | undefined, uid: string): string =>
  node === undefined ? uid : reportedNode(node);

const ownerText = ({ kind, name }: OwnerReference): string => `${kind}/${name}`;
