/** The class of claims and volumes, which older objects specify in an annotation. */

import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../objects.ts';

const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Empty if there is none. */
export const storageClassNameOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string =>
  metadata.annotations?.[oldClassAnnotation] ?? spec?.storageClassName ?? '';

/** Whether the claim specifies a class, even an empty one. */
export const hasStorageClass = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  metadata.annotations?.[oldClassAnnotation] !== undefined ||
  (spec?.storageClassName !== undefined && spec.storageClassName !== null);

/** The newest of the classes marked as default. */
export function defaultStorageClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const created = ({ metadata }: StorageClass) => metadata.creationTimestamp ?? '';
  const name = ({ metadata }: StorageClass) => metadata.name ?? '';
  return classes
    .filter(({ metadata }) => defaultAnnotations.some((key) => metadata.annotations?.[key] === 'true'))
    .sort((a, b) =>
      created(a) === created(b) ? (name(a) < name(b) ? -1 : 1) : created(a) > created(b) ? -1 : 1,
    )[0];
}
