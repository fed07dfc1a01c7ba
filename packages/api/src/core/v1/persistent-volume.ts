import * as t from '@coxswain/schema';
import { roundUpToMilli } from './resource-list.ts';
import { volumeColumns } from './volume/volume-columns.ts';
import { volumeWarnings } from './volume/persistent-volume-warnings.ts';
import { validateVolume, validateVolumeStatus } from './volume/persistent-volume-validation.ts';
import { PersistentVolumeSpec } from './persistent-volume-spec.ts';
import { PersistentVolumeStatus } from './persistent-volume-status.ts';

export const PersistentVolume = t.kind(
  'core/v1.PersistentVolume',
  'v1',
  { plural: 'persistentvolumes', shortNames: ['pv'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PersistentVolumeSpec),
    status: t.optional(3, PersistentVolumeStatus),
  },
  {
    defaults: [defaultVolume],
    validate: validateVolume,
    validateStatus: validateVolumeStatus,
    warnings: volumeWarnings,
    columns: volumeColumns,
  },
);
export interface PersistentVolume extends t.Static<typeof PersistentVolume> {}

/** Not applied to a volume inside a VolumeAttachment. */
function defaultVolume({ spec }: { spec: PersistentVolumeSpec }): void {
  roundUpToMilli(spec.capacity);
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
}
