/** Tables of persistent volumes and their claims. */

import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn, wideColumn } from '../../../meta/columns.ts';
import type { MetaObject, StatusObject } from '../../../meta/kind-object.ts';
import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-spec.ts';
import type { PersistentVolumeClaimStatus } from '../persistent-volume-claim-status.ts';
import type { PersistentVolumeStatus } from '../persistent-volume-status.ts';
import type { PersistentVolumeSpec } from '../persistent-volume-spec.ts';

type VolumeObject = StatusObject<PersistentVolumeSpec, PersistentVolumeStatus>;
type ClaimObject = StatusObject<PersistentVolumeClaimSpec, PersistentVolumeClaimStatus>;

export const volumeColumns: readonly Column<VolumeObject>[] = [
  nameColumn,
  column('Capacity', ({ spec }) => spec.capacity?.['storage'] ?? '0'),
  column('Access Modes', ({ spec }) => accessModes(spec.accessModes)),
  column('Reclaim Policy', ({ spec }) => spec.persistentVolumeReclaimPolicy ?? ''),
  column('Status', (object) => phaseOf(object)),
  column('Claim', ({ spec }) =>
    spec.claimRef == null ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
  ),
  column('StorageClass', (volume) => classAnnotation(volume) ?? volume.spec.storageClassName ?? ''),
  column('VolumeAttributesClass', ({ spec }) => spec.volumeAttributesClassName ?? '<unset>'),
  column('Reason', ({ status }) => status?.reason ?? ''),
  ageColumn,
  wideColumn('VolumeMode', ({ spec }) => spec.volumeMode ?? '<unset>'),
];

export const claimColumns: readonly Column<ClaimObject>[] = [
  nameColumn,
  column('Status', (object) => phaseOf(object)),
  column('Volume', ({ spec }) => spec.volumeName ?? ''),
  column('Capacity', ({ spec, status }) => (spec.volumeName ? (status?.capacity?.['storage'] ?? '0') : '')),
  column('Access Modes', ({ spec, status }) => (spec.volumeName ? accessModes(status?.accessModes) : '')),
  column('StorageClass', (claim) => classAnnotation(claim) ?? claim.spec.storageClassName ?? ''),
  column('VolumeAttributesClass', ({ spec }) => spec.volumeAttributesClassName ?? '<unset>'),
  ageColumn,
  wideColumn('VolumeMode', ({ spec }) => spec.volumeMode ?? '<unset>'),
];

const phaseOf = (object: MetaObject & { status?: { phase?: string } }): string =>
  object.metadata.deletionTimestamp == null ? (object.status?.phase ?? '') : 'Terminating';

/** The annotation for the class that preceded the field. */
const classAnnotation = ({ metadata }: MetaObject): string | undefined =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'];

const modeNames = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

const accessModes = (modes: readonly string[] | undefined): string =>
  modeNames.flatMap(([mode, short]) => (modes?.includes(mode) ? [short] : [])).join(',');
