/** Adapts ReplicaSets and ReplicationControllers to their common controller. */
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import { resources, type ReplicaSet } from '../objects.ts';
import type { OwnerKind } from '../owners.ts';

/** How one kind differs from the other. */
export interface ReplicaForm {
  readonly resource: GroupVersionResource;
  readonly kind: OwnerKind;
  readonly eventSource: string;
  readonly queueName: string;
  /** Converts the object to a ReplicaSet, which the controller works with. */
  read(object: KubeObject): ReplicaSet;
  /** Returns the object with this status. */
  withStatus(object: KubeObject, status: NonNullable<ReplicaSet['status']>): KubeObject;
}

export const replicaSetForm: ReplicaForm = {
  resource: resources.replicaSets,
  kind: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  eventSource: 'replicaset-controller',
  queueName: 'replicaset',
  read: (object) => object as ReplicaSet,
  withStatus: (object, status) => ({ ...object, status }) as KubeObject,
};
