/** The class of claims and volumes, which older objects have as an annotation. */

import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../objects.ts';

const oldClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Empty for none. */
export const storageClassNameOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume): string =>
  metadata.annotations?.[oldClassAnnotation] ?? spec?.storageClassName ?? '';

/** Whether the claim says which class it wants, were it none. */
export const hasStorageClass = ({ metadata, spec }: PersistentVolumeClaim): boolean =>
  metadata.annotations?.[oldClassAnnotation] !== undefined ||
  (spec?.storageClassName !== undefined && spec.storageClassName !== null);

/** The newest of the classes that are marked as default. */
export function defaultStorageClass(classes: readonly StorageClass[]): StorageClass | undefined {
  const created = ({ metadata }: StorageClass) => metadata.creationTimestamp ?? '';
  const name = ({ metadata }: StorageClass) => metadata.name ?? '';
  return classes
    .filter(({ metadata }) => defaultAnnotations.some((key) => metadata.annotations?.[key] === 'true'))
    .sort((a, b) =>
      created(a) === created(b) ? (name(a) < name(b) ? -1 : 1) : created(a) > created(b) ? -1 : 1,
    )[0];
}
