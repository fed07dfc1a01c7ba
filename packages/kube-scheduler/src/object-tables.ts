import {
  labelSelectorFromSpec,
  labelSelectorOfSet,
  type KubeObject,
  type Labels,
  type LabelSelector,
  type LabelSelectorSpec,
} from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { PodDisruptionBudget } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { ResourceSlice } from '@coxswain/api/resource/v1/resource-slice.ts';
import type { CSIDriver } from '@coxswain/api/storage/v1/csi-driver.ts';
import type { CSIStorageCapacity } from '@coxswain/api/storage/v1/csi-storage-capacity.ts';
import type { CSINode } from '@coxswain/api/storage/v1/csi-node.ts';
import type { StorageClass } from '@coxswain/api/storage/v1/storage-class.ts';
import { ExtendedResourceClasses } from './cache/extended-resource-classes.ts';
import type { PodInfo } from './cache/pod-info.ts';
import type { ClusterObjects } from './framework/cluster.ts';
import type { EventResource } from './framework/cluster-event.ts';

/** A kind of objects other than nodes and pods that the scheduler watches. */
export interface FollowedResource {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resource: string;
  /** The name of its events, if they can make a pod schedulable. */
  readonly event?: EventResource;
  /** The feature gate that is required to watch it. */
  readonly gate?: string;
}

const gate = 'DynamicResourceAllocation';

export const followedResources: readonly FollowedResource[] = [
  { kind: 'Namespace', apiVersion: 'v1', resource: 'namespaces', event: 'Namespace' },
  { kind: 'Service', apiVersion: 'v1', resource: 'services' },
  { kind: 'ReplicationController', apiVersion: 'v1', resource: 'replicationcontrollers' },
  { kind: 'ReplicaSet', apiVersion: 'apps/v1', resource: 'replicasets' },
  { kind: 'StatefulSet', apiVersion: 'apps/v1', resource: 'statefulsets' },
  { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', resource: 'poddisruptionbudgets' },
  {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    resource: 'persistentvolumeclaims',
    event: 'PersistentVolumeClaim',
  },
  { kind: 'PersistentVolume', apiVersion: 'v1', resource: 'persistentvolumes', event: 'PersistentVolume' },
  {
    kind: 'StorageClass',
    apiVersion: 'storage.k8s.io/v1',
    resource: 'storageclasses',
    event: 'StorageClass',
  },
  { kind: 'CSINode', apiVersion: 'storage.k8s.io/v1', resource: 'csinodes', event: 'CSINode' },
  { kind: 'CSIDriver', apiVersion: 'storage.k8s.io/v1', resource: 'csidrivers', event: 'CSIDriver' },
  {
    kind: 'CSIStorageCapacity',
    apiVersion: 'storage.k8s.io/v1',
    resource: 'csistoragecapacities',
    event: 'CSIStorageCapacity',
  },
  {
    kind: 'ResourceClaim',
    apiVersion: 'resource.k8s.io/v1',
    resource: 'resourceclaims',
    event: 'ResourceClaim',
    gate,
  },
  {
    kind: 'ResourceSlice',
    apiVersion: 'resource.k8s.io/v1',
    resource: 'resourceslices',
    event: 'ResourceSlice',
    gate,
  },
  {
    kind: 'DeviceClass',
    apiVersion: 'resource.k8s.io/v1',
    resource: 'deviceclasses',
    event: 'DeviceClass',
    gate,
  },
];

/** The current state of the watched objects, by kind and `namespace/name`. */
export class ObjectTables implements ClusterObjects {
  readonly #tables = new Map<string, Map<string, KubeObject>>();
  readonly #extendedResources = new ExtendedResourceClasses();
  readonly #devicesAreResources: boolean;
  namespacesVersion = 0;

  /** @param devicesAreResources whether DeviceClasses provide extended resources: `DRAExtendedResource` */
  constructor(devicesAreResources = true) {
    this.#devicesAreResources = devicesAreResources;
  }

  set(kind: string, object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    if (kind === 'DeviceClass' && this.#devicesAreResources)
      this.#extendedResources.set(this.deviceClass(name), object as unknown as DeviceClass);
    this.#table(kind).set(`${namespace}/${name}`, object);
    if (kind === 'Namespace') this.namespacesVersion++;
  }

  delete(kind: string, object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    if (kind === 'DeviceClass') this.#extendedResources.delete(object as unknown as DeviceClass);
    this.#table(kind).delete(`${namespace}/${name}`);
    if (kind === 'Namespace') this.namespacesVersion++;
  }

  namespaceLabels(namespace: string): Labels {
    return this.#get<KubeObject>('Namespace', `/${namespace}`)?.metadata.labels ?? {};
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#get('PersistentVolumeClaim', `${namespace}/${name}`);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#get('PersistentVolume', `/${name}`);
  }

  volumes(): Iterable<PersistentVolume> {
    return this.#table('PersistentVolume').values() as Iterable<PersistentVolume>;
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#get('StorageClass', `/${name}`);
  }

  csiNode(name: string): CSINode | undefined {
    return this.#get('CSINode', `/${name}`);
  }

  csiDriver(name: string): CSIDriver | undefined {
    return this.#get('CSIDriver', `/${name}`);
  }

  storageCapacities(): Iterable<CSIStorageCapacity> {
    return this.#table('CSIStorageCapacity').values() as Iterable<unknown> as Iterable<CSIStorageCapacity>;
  }

  resourceClaim(namespace: string, name: string): ResourceClaim | undefined {
    return this.#get('ResourceClaim', `${namespace}/${name}`);
  }

  resourceClaims(): Iterable<ResourceClaim> {
    return this.#table('ResourceClaim').values() as Iterable<unknown> as Iterable<ResourceClaim>;
  }

  resourceSlices(): Iterable<ResourceSlice> {
    return this.#table('ResourceSlice').values() as Iterable<unknown> as Iterable<ResourceSlice>;
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#get('DeviceClass', `/${name}`);
  }

  classOfResource(name: string): DeviceClass | undefined {
    return this.#extendedResources.get(name);
  }

  budgets(): Iterable<PodDisruptionBudget> {
    return this.#table('PodDisruptionBudget').values() as Iterable<PodDisruptionBudget>;
  }

  selectorsOf(pod: PodInfo): readonly LabelSelector[] {
    const selectors: LabelSelector[] = [];
    for (const service of this.#table('Service').values() as Iterable<WithSelector<Labels>>) {
      const labels = service.spec?.selector;
      if (service.metadata.namespace !== pod.namespace || !labels || Object.keys(labels).length === 0)
        continue;
      const selector = labelSelectorOfSet(labels);
      if (selector.matches(pod.labels)) selectors.push(selector);
    }
    const owner = pod.pod.metadata?.ownerReferences?.find(({ controller }) => controller);
    if (owner === undefined || !ownerKinds.has(owner.kind)) return selectors;
    const known = this.#get<WithSelector<LabelSelectorSpec | Labels>>(
      owner.kind,
      `${pod.namespace}/${owner.name}`,
    );
    if (known?.spec?.selector) {
      selectors.push(
        owner.kind === 'ReplicationController'
          ? labelSelectorOfSet(known.spec.selector as Labels)
          : labelSelectorFromSpec(known.spec.selector as LabelSelectorSpec),
      );
    }
    return selectors;
  }

  #table(kind: string): Map<string, KubeObject> {
    let table = this.#tables.get(kind);
    if (table === undefined) this.#tables.set(kind, (table = new Map()));
    return table;
  }

  #get<T>(kind: string, key: string): T | undefined {
    return this.#tables.get(kind)?.get(key) as T | undefined;
  }
}

interface WithSelector<S> extends KubeObject {
  readonly spec?: { readonly selector?: S };
}

const ownerKinds: ReadonlySet<string> = new Set(['ReplicationController', 'ReplicaSet', 'StatefulSet']);
