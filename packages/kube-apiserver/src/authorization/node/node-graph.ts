/**
 * The relation of objects to nodes: through pods that run there, volumes of those pods' claims, and objects that name
 * the node. Every query takes a few lookups, however many pods share an object.
 */
import { resourceClaimNames } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  claimNamesOf,
  configMapNamesOf,
  isMirrorPod,
  secretNamesOf,
  secretsOfPersistentVolume,
} from './pod-references.ts';

export type RelatedKind =
  | 'configmap'
  | 'resourceslice'
  | 'pod'
  | 'pvc'
  | 'pv'
  | 'resourceclaim'
  | 'secret'
  | 'volumeattachment'
  | 'serviceaccount'
  | 'podcertificaterequest';

type Key = string;

const keyOf = (kind: RelatedKind, namespace: string, name: string): Key => `${kind} ${namespace}/${name}`;

interface Volume {
  readonly claim: Key;
  readonly secrets: readonly Key[];
}

interface Source {
  readonly node: string;
  readonly references: readonly Key[];
}

export class NodeGraph {
  /** Pods and other objects that name a node → what that node may see because of them. */
  readonly #sources = new Map<Key, Source>();
  /** Object → node → the number of sources that make it visible. */
  readonly #nodes = new Map<Key, Map<string, number>>();
  readonly #volumes = new Map<Key, Volume>();
  /** Secret → the volumes that use it. */
  readonly #volumesBySecret = new Map<Key, Set<Key>>();

  putPod(pod: Pod): void {
    const { namespace = '', name = '' } = pod.metadata;
    const key = keyOf('pod', namespace, name);
    const node = pod.spec.nodeName;
    if (!node) return this.#drop(key);
    const inNamespace = (kind: RelatedKind) => (of: string) => keyOf(kind, namespace, of);
    // A node creates its mirror pods itself, so they must not give it access to anything.
    const references = isMirrorPod(pod)
      ? []
      : [
          ...(pod.spec.serviceAccountName ? [pod.spec.serviceAccountName] : []).map(
            inNamespace('serviceaccount'),
          ),
          ...secretNamesOf(pod).map(inNamespace('secret')),
          ...configMapNamesOf(pod).map(inNamespace('configmap')),
          ...claimNamesOf(pod).map(inNamespace('pvc')),
          ...resourceClaimNames(pod).map(inNamespace('resourceclaim')),
        ];
    this.#put(key, node, [key, ...references]);
  }

  /** Adds an object that belongs to the node that it names, if any. */
  putOwned(kind: RelatedKind, namespace: string, name: string, node: string): void {
    const key = keyOf(kind, namespace, name);
    if (node === '') this.#drop(key);
    else this.#put(key, node, [key]);
  }

  remove(kind: RelatedKind, namespace: string, name: string): void {
    this.#drop(keyOf(kind, namespace, name));
  }

  putVolume(volume: PersistentVolume): void {
    const name = volume.metadata.name ?? '';
    this.removeVolume(name);
    const { claimRef } = volume.spec;
    if (!claimRef) return;
    const key = keyOf('pv', '', name);
    const secrets = secretsOfPersistentVolume(volume).map((secret) =>
      keyOf('secret', secret.namespace, secret.name),
    );
    this.#volumes.set(key, { claim: keyOf('pvc', claimRef.namespace ?? '', claimRef.name ?? ''), secrets });
    for (const secret of secrets) {
      this.#volumesBySecret.set(secret, (this.#volumesBySecret.get(secret) ?? new Set()).add(key));
    }
  }

  removeVolume(name: string): void {
    const key = keyOf('pv', '', name);
    for (const secret of this.#volumes.get(key)?.secrets ?? []) {
      const volumes = this.#volumesBySecret.get(secret);
      volumes?.delete(key);
      if (volumes?.size === 0) this.#volumesBySecret.delete(secret);
    }
    this.#volumes.delete(key);
  }

  isRelated(node: string, kind: RelatedKind, namespace: string, name: string): boolean {
    const key = keyOf(kind, namespace, name);
    if (kind === 'pv') return this.#reaches(node, key);
    if (this.#nodes.get(key)?.has(node)) return true;
    return (
      kind === 'secret' && [...(this.#volumesBySecret.get(key) ?? [])].some((one) => this.#reaches(node, one))
    );
  }

  /** Whether a pod of the node uses the claim to which the volume is bound. */
  #reaches(node: string, volume: Key): boolean {
    const claim = this.#volumes.get(volume)?.claim;
    return claim !== undefined && this.#nodes.get(claim)?.has(node) === true;
  }

  #put(key: Key, node: string, references: readonly Key[]): void {
    this.#drop(key);
    const distinct = [...new Set(references)];
    this.#sources.set(key, { node, references: distinct });
    for (const reference of distinct) {
      const nodes = this.#nodes.get(reference) ?? new Map<string, number>();
      this.#nodes.set(reference, nodes.set(node, (nodes.get(node) ?? 0) + 1));
    }
  }

  #drop(key: Key): void {
    const source = this.#sources.get(key);
    if (source === undefined) return;
    this.#sources.delete(key);
    for (const reference of source.references) {
      const nodes = this.#nodes.get(reference)!;
      const left = nodes.get(source.node)! - 1;
      if (left > 0) nodes.set(source.node, left);
      else nodes.delete(source.node);
      if (nodes.size === 0) this.#nodes.delete(reference);
    }
  }
}
