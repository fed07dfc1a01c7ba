import * as t from '@coxswain/schema';

export const PersistentVolumeStatus = t.struct('core/v1.PersistentVolumeStatus', {
  phase: t.optional(
    1,
    t.named('v1.PersistentVolumePhase', t.oneOf(['Pending', 'Available', 'Bound', 'Released', 'Failed'])),
    { default: 'Pending' },
  ),
  message: t.optional(2, t.string),
  reason: t.optional(3, t.string),
  lastPhaseTransitionTime: t.pointer(4, t.time),
});
export interface PersistentVolumeStatus extends t.Static<typeof PersistentVolumeStatus> {}
