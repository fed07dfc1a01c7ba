import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const TopologySpreadConstraint = t.struct('core/v1.TopologySpreadConstraint', {
  maxSkew: t.always(1, t.int32, { required: true }),
  topologyKey: t.always(2, t.string, { required: true }),
  whenUnsatisfiable: t.always(
    3,
    t.named('v1.UnsatisfiableConstraintAction', t.oneOf(['DoNotSchedule', 'ScheduleAnyway'])),
    { required: true },
  ),
  labelSelector: t.pointer(4, LabelSelector),
  minDomains: t.pointer(5, t.int32),
  nodeAffinityPolicy: t.pointer(6, t.named('v1.NodeInclusionPolicy', t.oneOf(['Ignore', 'Honor']))),
  nodeTaintsPolicy: t.pointer(7, t.named('v1.NodeInclusionPolicy', t.oneOf(['Ignore', 'Honor']))),
  matchLabelKeys: t.optional(8, t.atomicList(t.string), { gate: 'MatchLabelKeysInPodTopologySpread' }),
});
export interface TopologySpreadConstraint extends t.Static<typeof TopologySpreadConstraint> {}
