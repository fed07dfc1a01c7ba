import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterObjects } from './cluster.ts';

/** Kinds of objects whose changes can make a pod schedulable. */
export type EventResource =
  | 'Pod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | 'Namespace';

export type EventAction =
  | 'add'
  | 'delete'
  /** Any change without a more specific name below. */
  | 'update'
  | 'allocatable'
  | 'labels'
  /** Taints, or `spec.unschedulable`. */
  | 'taints'
  | 'conditions'
  | 'annotations'
  /** The features that a node's kubelet declares. */
  | 'declaredFeatures'
  /** A pod's requests have decreased. */
  | 'scaleDown'
  | 'tolerations'
  | 'gatesRemoved'
  /** A pod's status now lists the claims generated for it. */
  | 'generatedClaims';

/** A change in the cluster; `before` and `after` are the object. */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly action: EventAction;
  readonly before?: unknown;
  readonly after?: unknown;
}

type Helps = (pod: PodInfo, event: ClusterEvent, objects: ClusterObjects) => boolean;

/** The changes after which a pod that the plugin refused is worth retrying. */
export interface Retry {
  readonly resource: EventResource;
  readonly actions: readonly EventAction[];
  /** Examines the change; if undefined, each such change is worth a retry. */
  readonly helps?: Helps;
}

export const retryOn = (resource: EventResource, actions: readonly EventAction[], helps?: Helps): Retry =>
  helps === undefined ? { resource, actions } : { resource, actions, helps };

/** Whether the change is among those that are worth a retry, or need to be examined. */
export const isOfConcern = ({ resource, actions }: Retry, event: ClusterEvent): boolean =>
  resource === event.resource && actions.includes(event.action);

export const isWorthRetry = (
  retries: readonly Retry[] | undefined,
  pod: PodInfo,
  event: ClusterEvent,
  objects: ClusterObjects,
): boolean =>
  (retries ?? []).some(
    (retry) => isOfConcern(retry, event) && (retry.helps === undefined || retry.helps(pod, event, objects)),
  );
