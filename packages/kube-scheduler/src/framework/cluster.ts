import type { Clock, Labels, LabelSelector, Random } from '@coxswain/apimachinery';
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
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { NodeSum } from '../cache/running-sums.ts';
import type { ShapeResults } from '../cache/shape-results.ts';
import type { ExtenderList } from './extender-list.ts';
import type { SchedulerApi } from './scheduler-api.ts';

/** The cluster as plugins see it. */
export interface Cluster {
  readonly nodes: readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  /** Whether the corresponding lists of nodes below are non-empty. */
  readonly hasAffinity: boolean;
  readonly hasRequiredAntiAffinity: boolean;
  readonly nodesWithAffinity: Iterable<NodeInfo>;
  readonly nodesWithRequiredAntiAffinity: Iterable<NodeInfo>;
  /**
   * Returns a sum over all nodes that is kept between pods. `key` identifies everything apart from the nodes that
   * `make` depends on; `nodes` lists those that can contribute, and defaults to all.
   */
  sumOf<S, P>(key: string, make: () => NodeSum<S, P>, nodes?: () => Iterable<NodeInfo>): S;
  /** The cached results of nodes for pods of that shape. */
  answersOf(shape: string): ShapeResults;
  claimUses(key: string): number;
  imageNodeCount(image: string): number;
  readonly objects: ClusterObjects;
  readonly api: SchedulerApi;
  readonly clock: Clock;
  readonly random: Random;
  /** Undefined if there are none. */
  readonly extenders: ExtenderList | undefined;
  /** From `--feature-gates`. */
  readonly isFeatureOn: (gate: string) => boolean;
  /** The pods nominated to the node by preemption that are not on it yet. */
  nominatedTo(nodeName: string): readonly PodInfo[];
  /** Resolves when the pod is seen to be gone from its node or terminating. */
  departure(uid: string): Promise<void>;
  /** Runs API calls for which `pod` must wait; it stays out of the queue until they are complete. */
  whilePodWaits(pod: PodInfo, work: () => Promise<void>): void;
  /** Whether such calls are in progress for the pod. */
  isWaiting(uid: string): boolean;
}

/** Objects other than nodes and pods that plugins use. */
export interface ClusterObjects {
  namespaceLabels(namespace: string): Labels;
  /** Changes with every change of a namespace. */
  readonly namespacesVersion: number;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumes(): Iterable<PersistentVolume>;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
  csiDriver(name: string): CSIDriver | undefined;
  storageCapacities(): Iterable<CSIStorageCapacity>;
  resourceClaim(namespace: string, name: string): ResourceClaim | undefined;
  resourceClaims(): Iterable<ResourceClaim>;
  resourceSlices(): Iterable<ResourceSlice>;
  deviceClass(name: string): DeviceClass | undefined;
  /** The DeviceClass that provides an extended resource. */
  classOfResource(name: string): DeviceClass | undefined;
  budgets(): Iterable<PodDisruptionBudget>;
  /** The selectors of the services and owners (replica sets and similar) that select or own the pod. */
  selectorsOf(pod: PodInfo): readonly LabelSelector[];
}
