import { always, atomicList, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const TopologyConstraint = struct('scheduling/v1alpha2.TopologyConstraint', {
  key: always(1, string, { required: true }),
});
export interface TopologyConstraint extends Static<typeof TopologyConstraint> {}

export const PodGroupSchedulingConstraints = struct('scheduling/v1alpha2.PodGroupSchedulingConstraints', {
  topology: optional(1, atomicList(TopologyConstraint)),
});
export interface PodGroupSchedulingConstraints extends Static<typeof PodGroupSchedulingConstraints> {}
