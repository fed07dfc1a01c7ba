import { always, atomicList, int32, oneOf, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const TopologySpreadConstraint = struct('core/v1.TopologySpreadConstraint', {
  maxSkew: always(1, int32, { required: true }),
  topologyKey: always(2, string, { required: true }),
  whenUnsatisfiable: always(
    3,
    named('v1.UnsatisfiableConstraintAction', oneOf(['DoNotSchedule', 'ScheduleAnyway'])),
    { required: true },
  ),
  labelSelector: pointer(4, LabelSelector),
  minDomains: pointer(5, int32),
  nodeAffinityPolicy: pointer(6, named('v1.NodeInclusionPolicy', oneOf(['Ignore', 'Honor']))),
  nodeTaintsPolicy: pointer(7, named('v1.NodeInclusionPolicy', oneOf(['Ignore', 'Honor']))),
  matchLabelKeys: optional(8, atomicList(string)),
});
export interface TopologySpreadConstraint extends Static<typeof TopologySpreadConstraint> {}
