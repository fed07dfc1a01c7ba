import * as t from '@coxswain/schema';

export const ModifyVolumeStatus = t.struct('core/v1.ModifyVolumeStatus', {
  targetVolumeAttributesClassName: t.optional(1, t.string),
  status: t.always(
    2,
    t.named('v1.PersistentVolumeClaimModifyVolumeStatus', t.oneOf(['Pending', 'InProgress', 'Infeasible'])),
    { required: true },
  ),
});
export interface ModifyVolumeStatus extends t.Static<typeof ModifyVolumeStatus> {}

export const PersistentVolumeClaimCondition = t.struct('core/v1.PersistentVolumeClaimCondition', {
  type: t.always(1, t.named('v1.PersistentVolumeClaimConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastProbeTime: t.optional(3, t.time),
  lastTransitionTime: t.optional(4, t.time),
  reason: t.optional(5, t.string),
  message: t.optional(6, t.string),
});
export interface PersistentVolumeClaimCondition extends t.Static<typeof PersistentVolumeClaimCondition> {}

export const PersistentVolumeClaimStatus = t.struct('core/v1.PersistentVolumeClaimStatus', {
  phase: t.optional(1, t.named('v1.PersistentVolumeClaimPhase', t.oneOf(['Pending', 'Bound', 'Lost'])), {
    default: 'Pending',
  }),
  accessModes: t.optional(
    2,
    t.atomicList(
      t.named(
        'v1.PersistentVolumeAccessMode',
        t.oneOf(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
      ),
    ),
  ),
  capacity: t.optional(3, t.named('v1.ResourceList', t.map(t.quantity))),
  conditions: t.optional(4, t.listMap(PersistentVolumeClaimCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
  allocatedResources: t.optional(5, t.named('v1.ResourceList', t.map(t.quantity))),
  allocatedResourceStatuses: t.optional(
    7,
    t.map(
      t.named(
        'v1.ClaimResourceStatus',
        t.oneOf([
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
  currentVolumeAttributesClassName: t.pointer(8, t.string, { gate: 'VolumeAttributesClass' }),
  modifyVolumeStatus: t.pointer(9, ModifyVolumeStatus, { gate: 'VolumeAttributesClass' }),
});
export interface PersistentVolumeClaimStatus extends t.Static<typeof PersistentVolumeClaimStatus> {}
