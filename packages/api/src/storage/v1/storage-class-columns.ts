import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

interface ClassObject extends MetaObject {
  provisioner: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
}

export const storageClassColumns: readonly Column<ClassObject>[] = [
  {
    ...nameColumn,
    cell: ({ metadata }) =>
      (metadata.name ?? '') +
      (defaultAnnotations.some((annotation) => metadata.annotations?.[annotation] === 'true')
        ? ' (default)'
        : ''),
  },
  column('Provisioner', ({ provisioner }) => provisioner),
  column('ReclaimPolicy', ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete'),
  column('VolumeBindingMode', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
  column('AllowVolumeExpansion', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
  ageColumn,
];

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
