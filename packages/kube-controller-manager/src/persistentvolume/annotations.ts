/** What the binder notes on claims and volumes, and what provisioners read there. */

import type { KubeObject } from '@coxswain/apimachinery';
import { migratedDriver } from '../volumes/csi-migration.ts';

/** The claim's binding was complete once. */
export const bindCompleted = 'pv.kubernetes.io/bind-completed';
/** It was not a user who bound the two. */
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
/** Names the provisioner of a volume. */
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
export const migratedTo = 'pv.kubernetes.io/migrated-to';
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const oldStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';
/** The scheduler has chosen the node of the claim's first pod. */
export const selectedNode = 'volume.kubernetes.io/selected-node';
export const preResizeCapacity = 'volume.alpha.kubernetes.io/pre-resize-capacity';

export type Annotations = Readonly<Record<string, string>>;

export const hasAnnotation = ({ metadata }: KubeObject, key: string): boolean =>
  metadata.annotations?.[key] !== undefined;

export function withAnnotations<T extends KubeObject>(object: T, annotations: Annotations): T {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}

export function withoutAnnotation<T extends KubeObject>(object: T, key: string): T {
  const { [key]: _gone, ...left } = object.metadata.annotations ?? {};
  const { annotations: _all, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(left).length === 0 ? {} : { annotations: left }) },
  };
}

/** With the note which CSI driver has taken over, where one has; the object itself when that is right already. */
export function withMigration<T extends KubeObject>(object: T, provisionerKeys: readonly string[]): T {
  const { annotations = {} } = object.metadata;
  const provisioner = provisionerKeys.map((key) => annotations[key]).find((name) => name !== undefined);
  if (provisioner === undefined) return object;
  const driver = migratedDriver(provisioner);
  if (driver === undefined) {
    return annotations[migratedTo] ? withoutAnnotation(object, migratedTo) : object;
  }
  return annotations[migratedTo] === driver ? object : withAnnotations(object, { [migratedTo]: driver });
}

export const claimProvisionerKeys = [storageProvisioner, oldStorageProvisioner] as const;
export const volumeProvisionerKeys = [provisionedBy] as const;
