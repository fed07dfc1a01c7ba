import {
  always,
  atomicList,
  kind,
  listMap,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.ts';
import { defaultClaimSpec } from './volume-defaults.ts';
import { roundUpToMilli } from './resource-list.ts';
import { claimColumns } from './volume-columns.ts';
import { validateClaim, validateClaimStatus } from './persistent-volume-claim-validation.ts';
import { claimWarnings } from './persistent-volume-claim-warnings.ts';

export const ModifyVolumeStatus = struct('core/v1.ModifyVolumeStatus', {
  targetVolumeAttributesClassName: optional(1, string),
  status: always(
    2,
    named('v1.PersistentVolumeClaimModifyVolumeStatus', oneOf(['Pending', 'InProgress', 'Infeasible'])),
    { required: true },
  ),
});
export interface ModifyVolumeStatus extends Static<typeof ModifyVolumeStatus> {}

export const PersistentVolumeClaimCondition = struct('core/v1.PersistentVolumeClaimCondition', {
  type: always(1, named('v1.PersistentVolumeClaimConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastProbeTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
});
export interface PersistentVolumeClaimCondition extends Static<typeof PersistentVolumeClaimCondition> {}

export const PersistentVolumeClaimStatus = struct('core/v1.PersistentVolumeClaimStatus', {
  phase: optional(1, named('v1.PersistentVolumeClaimPhase', oneOf(['Pending', 'Bound', 'Lost'])), {
    default: 'Pending',
  }),
  accessModes: optional(
    2,
    atomicList(
      named(
        'v1.PersistentVolumeAccessMode',
        oneOf(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
      ),
    ),
  ),
  capacity: optional(3, named('v1.ResourceList', map(quantity))),
  conditions: optional(4, listMap(PersistentVolumeClaimCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
  allocatedResources: optional(5, named('v1.ResourceList', map(quantity))),
  allocatedResourceStatuses: optional(
    7,
    map(
      named(
        'v1.ClaimResourceStatus',
        oneOf([
          'ControllerResizeInProgress',
          'ControllerResizeInfeasible',
          'NodeResizePending',
          'NodeResizeInProgress',
          'NodeResizeInfeasible',
        ]),
      ),
    ),
    { granular: true },
  ),
  currentVolumeAttributesClassName: pointer(8, string, { gate: 'VolumeAttributesClass' }),
  modifyVolumeStatus: pointer(9, ModifyVolumeStatus, { gate: 'VolumeAttributesClass' }),
});
export interface PersistentVolumeClaimStatus extends Static<typeof PersistentVolumeClaimStatus> {}

export const PersistentVolumeClaim = kind(
  'core/v1.PersistentVolumeClaim',
  'v1',
  { plural: 'persistentvolumeclaims', shortNames: ['pvc'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PersistentVolumeClaimSpec),
    status: optional(3, PersistentVolumeClaimStatus),
  },
  {
    defaults: [defaultClaim],
    validate: validateClaim,
    validateStatus: validateClaimStatus,
    warnings: claimWarnings,
    columns: claimColumns,
  },
);
export interface PersistentVolumeClaim extends Static<typeof PersistentVolumeClaim> {}

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
