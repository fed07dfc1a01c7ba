/** Owner references: objects are garbage-collected with their owner, and their changes trigger it. */

import { parseApiVersion, type KubeObject, type OwnerReference } from '@coxswain/apimachinery';
import type { KindRef } from '@coxswain/client';

/** Another owner controls the object. */
export class AlreadyOwnedError extends Error {
  override readonly name = 'AlreadyOwnedError';
}

/**
 * A reference to the owner that controls an object.
 * @example
 * const metadata = { name: 'web', namespace: 'shop', ownerReferences: [controllerReference(Widget, widget)] };
 */
export const controllerReference = (kind: KindRef, owner: KubeObject): OwnerReference => ({
  ...ownerReference(kind, owner),
  controller: true,
  blockOwnerDeletion: true,
});

/**
 * A reference to one of several owners.
 * @param kind the kind of the owner, which cached objects do not include
 * @param owner the stored object, whose uid is used
 * @example
 * const metadata = { name: 'web', namespace: 'shop', ownerReferences: [ownerReference(Widget, widget)] };
 */
export const ownerReference = ({ apiVersion, kind }: KindRef, { metadata }: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
});

/**
 * Returns the reference to the owner that controls the object.
 * @param object only its metadata is read
 * @example
 * const isOurs = controllerOf(deployment)?.uid === widget.metadata.uid;
 */
export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/**
 * Returns the object with this owner as its controller.
 * @throws AlreadyOwnedError if another owner controls it
 * @throws Error if the owner is in another namespace, which garbage collection does not support
 * @example
 * await client.of(Deployment).namespace('shop').update(setControllerReference(Widget, widget, deployment));
 */
export function setControllerReference<T extends KubeObject>(kind: KindRef, owner: KubeObject, object: T): T {
  const current = controllerOf(object);
  if (current !== undefined && current.uid !== owner.metadata.uid) {
    const { namespace, name } = object.metadata;
    throw new AlreadyOwnedError(
      `Object ${namespace}/${name} is already owned by another ${current.kind} controller ${current.name}`,
    );
  }
  return withReference(object, owner, controllerReference(kind, owner));
}

/**
 * Returns the object with this owner added.
 * @throws Error like {@link setControllerReference}
 * @example
 * await client.of(Deployment).namespace('shop').update(setOwnerReference(Widget, widget, deployment));
 */
export const setOwnerReference = <T extends KubeObject>(kind: KindRef, owner: KubeObject, object: T): T =>
  withReference(object, owner, ownerReference(kind, owner));

/**
 * Whether this reference names an object of this kind, in any version.
 * @example
 * const widgets = (deployment.metadata.ownerReferences ?? []).filter((reference) => refersTo(reference, Widget));
 */
export const refersTo = (reference: OwnerReference, kind: KindRef): boolean =>
  reference.kind === kind.kind &&
  parseApiVersion(reference.apiVersion).group === parseApiVersion(kind.apiVersion).group;

function withReference<T extends KubeObject>(object: T, owner: KubeObject, reference: OwnerReference): T {
  const { namespace: ownerNamespace = '' } = owner.metadata;
  const { namespace = '', ownerReferences = [] } = object.metadata;
  if (ownerNamespace !== '' && ownerNamespace !== namespace) {
    throw new Error(
      `an owner in namespace "${ownerNamespace}" cannot own an object ${namespace === '' ? 'without a namespace' : `in namespace "${namespace}"`}`,
    );
  }
  const others = ownerReferences.filter(({ uid }) => uid !== reference.uid);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, reference] } };
}
