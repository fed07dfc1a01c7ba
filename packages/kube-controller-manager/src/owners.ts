/** Owner references: determines which owner manages an object. */

import type { KubeObject, OwnerReference } from '@coxswain/apimachinery';

/** Returns the managing owner; other owners merely keep the object alive. */
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

/** An informer index by the uid of the controller; objects without one are indexed under their namespace. */
export const controllerIndex = 'controllerUid';
export const orphansOf = (namespace: string): string => `orphans/${namespace}`;

export function controllerIndexValues(object: KubeObject): readonly string[] {
  return [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace ?? '')];
}
