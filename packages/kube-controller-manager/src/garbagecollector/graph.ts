/**
 * The ownership graph of all deletable objects. Updated by events; reports which objects must be examined because an
 * owner of theirs is gone, or waits for their deletion.
 */

import type { KubeObject, OwnerReference } from '@coxswain/apimachinery';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

export interface GraphNode {
  identity: Identity;
  owners: readonly OwnerReference[];
  dependents: ReadonlySet<GraphNode>;
  /** Whether an informer has seen it; otherwise it is only known from references to it, which may be wrong. */
  observed: boolean;
  beingDeleted: boolean;
  /** Whether it waits for the deletion of its dependents. */
  deletingDependents: boolean;
}

export interface GraphListener {
  /** Checks whether this object still has an owner. */
  examine(node: GraphNode): void;
  /** Orphans the dependents of an object that is being deleted. */
  orphan(node: GraphNode): void;
  /** Reports that the owner is not in the dependent's namespace. */
  invalidNamespace(dependent: GraphNode, ownerUid: string): void;
}

const noOwners: readonly OwnerReference[] = [];
/** Shared, since most objects have no dependents. */
const noDependents: ReadonlySet<GraphNode> = new Set();

export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #listener: GraphListener;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Handles an object that was added or changed; `before` is its former state, if known. */
  upsert(
    object: KubeObject,
    kind: { readonly apiVersion: string; readonly kind: string },
    before?: KubeObject,
  ): void {
    const { metadata } = object;
    // Most events change neither owners nor deletion.
    const isQuiet =
      before !== undefined &&
      before.metadata.deletionTimestamp === metadata.deletionTimestamp &&
      sameOwners(before.metadata.ownerReferences, metadata.ownerReferences) &&
      metadata.deletionTimestamp === undefined;
    const known = this.#nodes.get(metadata.uid ?? '');
    if (isQuiet && known?.observed) return;
    const identity = identityOf(object, kind);
    const node =
      known === undefined ? this.#insert(object, identity) : this.#refresh(known, object, identity);
    this.#followDeletion(node, object, before);
  }

  /** Handles a deleted object. */
  remove(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node !== undefined) this.#removeNode(node);
  }

  /**
   * Records that no object exists at `identity`, although something refers to it. References with different
   * coordinates may still be right: the node then remains under those, to be looked up again.
   */
  verifiedAbsent(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    const others = [...node.dependents].filter((dependent) => !refersTo(dependent, identity));
    if (node.observed ? sameIdentity(node.identity, identity) : others.length === 0)
      return this.#removeNode(node);
    for (const dependent of node.dependents)
      if (refersTo(dependent, identity)) this.#listener.examine(dependent);
    const alternative = others
      .map((dependent) => spellingOf(dependent, identity.uid))
      .find((one) => one !== undefined);
    if (node.observed || alternative === undefined || sameIdentity(alternative, identity)) return;
    node.identity = alternative;
    this.#listener.examine(node);
  }

  #insert(object: KubeObject, identity: Identity): GraphNode {
    const isDeleting = object.metadata.deletionTimestamp !== undefined;
    const node: GraphNode = {
      identity,
      owners: object.metadata.ownerReferences ?? noOwners,
      dependents: noDependents,
      observed: true,
      beingDeleted: isDeleting,
      deletingDependents: isDeleting && hasFinalizer(object, foregroundFinalizer),
    };
    this.#nodes.set(identity.uid, node);
    this.#addToOwners(node, node.owners);
    return node;
  }

  #refresh(node: GraphNode, object: KubeObject, identity: Identity): GraphNode {
    if (!node.observed) this.#nowObserved(node, identity);
    const owners = object.metadata.ownerReferences ?? noOwners;
    const [before, after] = [byUid(node.owners), byUid(owners)];
    const added = owners.filter(({ uid }) => !before.has(uid));
    const removed = node.owners.filter(({ uid }) => !after.has(uid));
    for (const { uid, blockOwnerDeletion } of node.owners) {
      // An owner that waited for this dependent no longer needs to.
      if (blockOwnerDeletion && !after.get(uid)?.blockOwnerDeletion) this.#examine(uid);
    }
    node.owners = owners;
    this.#addToOwners(node, added);
    for (const owner of removed) this.#removeDependent(owner.uid, node);
    if (object.metadata.deletionTimestamp !== undefined) node.beingDeleted = true;
    return node;
  }

  #nowObserved(node: GraphNode, identity: Identity): void {
    if (!sameIdentity(node.identity, identity)) {
      for (const dependent of node.dependents) {
        if (refersTo(dependent, identity)) continue;
        if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace) {
          this.#listener.invalidNamespace(dependent, identity.uid);
        }
        this.#listener.examine(dependent);
      }
      node.identity = identity;
    }
    node.observed = true;
  }

  #addToOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of owners) {
      const owner = this.#nodes.get(reference.uid);
      if (owner === undefined) {
        this.#addUnobserved(reference, node);
        continue;
      }
      addDependent(owner, node);
      if (doubtful) continue;
      const isElsewhere =
        owner.identity.namespace !== '' && owner.identity.namespace !== node.identity.namespace;
      if (isElsewhere && owner.observed) this.#listener.invalidNamespace(node, reference.uid);
      doubtful = isElsewhere || !sameCoordinates(reference, owner.identity);
    }
    if (doubtful) this.#listener.examine(node);
  }

  #addUnobserved(reference: OwnerReference, dependent: GraphNode): void {
    const { apiVersion, kind, name, uid } = reference;
    const owner: GraphNode = {
      identity: { apiVersion, kind, name, uid, namespace: dependent.identity.namespace },
      owners: noOwners,
      dependents: new Set([dependent]),
      observed: false,
      beingDeleted: false,
      deletingDependents: false,
    };
    this.#nodes.set(uid, owner);
    this.#listener.examine(owner);
  }

  #removeNode(node: GraphNode): void {
    this.#nodes.delete(node.identity.uid);
    for (const owner of node.owners) this.#removeDependent(owner.uid, node);
    for (const dependent of node.dependents) this.#listener.examine(dependent);
    for (const { uid } of node.owners) if (this.#nodes.get(uid)?.deletingDependents) this.#examine(uid);
  }

  #removeDependent(ownerUid: string, node: GraphNode): void {
    const owner = this.#nodes.get(ownerUid);
    if (owner !== undefined && owner.dependents !== noDependents)
      (owner.dependents as Set<GraphNode>).delete(node);
  }

  #followDeletion(node: GraphNode, object: KubeObject, before: KubeObject | undefined): void {
    const starts = (finalizer: string) =>
      isGoing(object, finalizer) && (before === undefined || !isGoing(before, finalizer));
    if (starts(orphanFinalizer)) return this.#listener.orphan(node);
    if (!starts(foregroundFinalizer)) return;
    node.deletingDependents = true;
    for (const dependent of node.dependents) this.#listener.examine(dependent);
    this.#listener.examine(node);
  }

  #examine(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node !== undefined) this.#listener.examine(node);
  }
}

const byUid = (owners: readonly OwnerReference[]): ReadonlyMap<string, OwnerReference> =>
  new Map(owners.map((owner) => [owner.uid, owner]));

function addDependent(owner: GraphNode, node: GraphNode): void {
  if (owner.dependents === noDependents) owner.dependents = new Set([node]);
  else (owner.dependents as Set<GraphNode>).add(node);
}

export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) ?? false;

/** Dependents that block the deletion of their owner. */
export const blockingDependents = (node: GraphNode): GraphNode[] =>
  [...node.dependents].filter((dependent) =>
    dependent.owners.some((owner) => owner.uid === node.identity.uid && owner.blockOwnerDeletion === true),
  );

/** In the format of events. */
export const identityText = ({ apiVersion, kind, namespace, name, uid }: Identity): string =>
  `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;

const isGoing = (object: KubeObject, finalizer: string): boolean =>
  object.metadata.deletionTimestamp !== undefined && hasFinalizer(object, finalizer);

const identityOf = (
  { metadata }: KubeObject,
  kind: { readonly apiVersion: string; readonly kind: string },
): Identity => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  name: metadata.name ?? '',
  namespace: metadata.namespace ?? '',
  uid: metadata.uid ?? '',
});

const sameCoordinates = (reference: OwnerReference, identity: Identity): boolean =>
  reference.uid === identity.uid &&
  reference.name === identity.name &&
  reference.kind === identity.kind &&
  reference.apiVersion === identity.apiVersion;

const sameIdentity = (a: Identity, b: Identity): boolean =>
  sameCoordinates(a, b) && a.namespace === b.namespace;

function refersTo(dependent: GraphNode, identity: Identity): boolean {
  if (identity.namespace !== '' && identity.namespace !== dependent.identity.namespace) return false;
  return dependent.owners.some((owner) => sameCoordinates(owner, identity));
}

function spellingOf(dependent: GraphNode, uid: string): Identity | undefined {
  const owner = dependent.owners.find((reference) => reference.uid === uid);
  if (owner === undefined) return undefined;
  const { apiVersion, kind, name } = owner;
  return { apiVersion, kind, name, uid, namespace: dependent.identity.namespace };
}

function sameOwners(
  a: readonly OwnerReference[] | undefined,
  b: readonly OwnerReference[] | undefined,
): boolean {
  if (a === b) return true;
  if ((a?.length ?? 0) !== (b?.length ?? 0)) return false;
  return (a ?? []).every((owner, index) => {
    const other = b![index]!;
    return (
      sameCoordinates(owner, { ...other, namespace: '' }) &&
      owner.blockOwnerDeletion === other.blockOwnerDeletion
    );
  });
}
