/** Annotations that the binder sets on claims and volumes, and that provisioners read. */

import type { KubeObject } from '@coxswain/apimachinery';
import { migratedDriver } from '../volumes/csi-migration.ts';

/** The claim was completely bound once. */
export const bindCompleted = 'pv.kubernetes.io/bind-completed';
/** The binding was made by the controller, not by a user. */
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
/** The provisioner of a volume. */
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
export const migratedTo = 'pv.kubernetes.io/migrated-to';
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const oldStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';
/** The node that the scheduler has chosen for the claim's first pod. */
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

/**
 * Sets the annotation of the CSI driver that has replaced an in-tree plugin, if any; returns the object itself if it is
 * up to date.
 */
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
