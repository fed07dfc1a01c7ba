import * as t from '@coxswain/schema';
import { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.ts';
import { defaultClaimSpec } from './volume/volume-defaults.ts';
import { roundUpToMilli } from './resource-list.ts';
import { claimColumns } from './volume/volume-columns.ts';
import { validateClaim, validateClaimStatus } from './volume/persistent-volume-claim-validation.ts';
import { claimWarnings } from './volume/persistent-volume-claim-warnings.ts';
import { PersistentVolumeClaimStatus } from './persistent-volume-claim-status.ts';

export const PersistentVolumeClaim = t.kind(
  'core/v1.PersistentVolumeClaim',
  'v1',
  { plural: 'persistentvolumeclaims', shortNames: ['pvc'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PersistentVolumeClaimSpec),
    status: t.optional(3, PersistentVolumeClaimStatus),
  },
  {
    defaults: [defaultClaim],
    validate: validateClaim,
    validateStatus: validateClaimStatus,
    warnings: claimWarnings,
    columns: claimColumns,
  },
);
export interface PersistentVolumeClaim extends t.Static<typeof PersistentVolumeClaim> {}

function defaultClaim({
  spec,
  status,
}: {
  spec: PersistentVolumeClaimSpec;
  status: PersistentVolumeClaimStatus;
}): void {
  defaultClaimSpec(spec);
  roundUpToMilli(status?.capacity);
  roundUpToMilli(status?.allocatedResources);
}
