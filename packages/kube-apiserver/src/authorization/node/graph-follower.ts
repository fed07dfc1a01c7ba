/** Keeps the node graph up to date with the store. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { StoreFollower, type StoreTarget } from '../../follow-store.ts';
import { NodeGraph, type RelatedKind } from './node-graph.ts';

export class NodeGraphFollower {
  readonly graph = new NodeGraph();
  readonly #follower: StoreFollower;

  constructor(storage: Storage) {
    this.#follower = new StoreFollower(storage);
  }

  /** Resolves when all stored objects have been read. Resources that aren't served are skipped. */
  async start(findStore: (group: string, resource: string) => GenericStore | undefined): Promise<void> {
    const { graph } = this;
    const followed: readonly (readonly [string, string, StoreTarget])[] = [
      ['', 'pods', podTarget(graph)],
      ['', 'persistentvolumes', volumeTarget(graph)],
      ['storage.k8s.io', 'volumeattachments', ownedTarget(graph, 'volumeattachment')],
      ['resource.k8s.io', 'resourceslices', ownedTarget(graph, 'resourceslice')],
      ['certificates.k8s.io', 'podcertificaterequests', ownedTarget(graph, 'podcertificaterequest')],
    ];
    await Promise.all(
      followed.map(([group, resource, target]) => {
        const store = findStore(group, resource);
        return store === undefined ? undefined : this.#follower.follow(store, target);
      }),
    );
  }

  stop(): void {
    this.#follower.stop();
  }
}

const podTarget = (graph: NodeGraph): StoreTarget => ({
  put: (object) => graph.putPod(object as unknown as Pod),
  remove: (namespace, name) => graph.remove('pod', namespace, name),
});

const volumeTarget = (graph: NodeGraph): StoreTarget => ({
  put: (object) => graph.putVolume(object as unknown as PersistentVolume),
  remove: (_namespace, name) => graph.removeVolume(name),
});

interface OfNode extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

const ownedTarget = (graph: NodeGraph, kind: RelatedKind): StoreTarget => ({
  put: (object) => {
    const { metadata, spec } = object as OfNode;
    graph.putOwned(kind, metadata.namespace ?? '', metadata.name ?? '', spec?.nodeName ?? '');
  },
  // The key of a cluster-scoped object is only its name.
  remove: (namespace, name) => graph.remove(kind, namespace, name),
});
