import * as t from '@coxswain/schema';

export const TopologyConstraint = t.struct('scheduling/v1alpha2.TopologyConstraint', {
  key: t.always(1, t.string, { required: true }),
});
export interface TopologyConstraint extends t.Static<typeof TopologyConstraint> {}

export const PodGroupSchedulingConstraints = t.struct('scheduling/v1alpha2.PodGroupSchedulingConstraints', {
  topology: t.optional(1, t.atomicList(TopologyConstraint)),
});
export interface PodGroupSchedulingConstraints extends t.Static<typeof PodGroupSchedulingConstraints> {}
