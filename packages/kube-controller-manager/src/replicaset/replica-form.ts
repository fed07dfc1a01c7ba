/** ReplicaSets and ReplicationControllers, for the one controller that looks after both. */
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import { resources, type ReplicaSet } from '../objects.ts';
import type { OwnerKind } from '../owners.ts';

/** How the one kind differs from the other. */
export interface ReplicaForm {
  readonly resource: GroupVersionResource;
  readonly kind: OwnerKind;
  readonly eventSource: string;
  readonly queueName: string;
  /** As a ReplicaSet: what the controller works with. */
  read(object: KubeObject): ReplicaSet;
  /** The object with this status. */
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
