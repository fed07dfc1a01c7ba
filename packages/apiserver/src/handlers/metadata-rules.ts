/** Rules for the metadata that requests may send. */
import { badRequest, type KubeObject, type OwnerReference } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

/** Removes fields that only the server sets. */
export function wipeSystemFields({ metadata }: KubeObject): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** The namespace of the request's object; a Namespace is not in the namespace of its own name. */
export const namespaceFor = (request: ApiRequest, scope: ResourceScope): string =>
  scope.namespaced ? request.namespace : '';

/** @throws StatusError 400 */
export function checkName({ metadata }: KubeObject, name: string): void {
  if (!metadata.name) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
}

/** Removes duplicate owner references and warns about them. */
export function dedupOwners(object: KubeObject, request: ApiRequest, afterAdmission: boolean): void {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners === null || owners.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  const duplicates: string[] = [];
  for (const owner of owners) {
    const key = ownerKey(owner);
    if (kept.has(key)) duplicates.push(owner.uid);
    else kept.set(key, owner);
  }
  if (duplicates.length === 0) return;
  object.metadata.ownerReferences = [...kept.values()];
  const when = afterAdmission ? ' after mutating admission happens' : '';
  request.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
      `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
}

/** Equal references have the same text. */
const ownerKey = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
