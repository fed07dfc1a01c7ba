/** Owner references: who manages an object. */

import type { KubeObject, OwnerReference } from '@coxswain/apimachinery';

/** The owner that manages the object; others merely keep it alive. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  const { ownerReferences } = metadata;
  return ownerReferences?.find((reference) => reference.controller === true);
}

export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export const controllerReference = ({ apiVersion, kind }: OwnerKind, owner: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** The index of an informer by the uid of the controller; objects without one stand under their namespace. */
export const controllerIndex = 'controllerUid';
export const orphansOf = (namespace: string): string => `orphans/${namespace}`;

export function controllerIndexValues(object: KubeObject): readonly string[] {
  return [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace ?? '')];
}
