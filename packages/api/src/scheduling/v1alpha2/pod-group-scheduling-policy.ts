import * as t from '@coxswain/schema';

export const BasicSchedulingPolicy = t.struct('scheduling/v1alpha2.BasicSchedulingPolicy', {});
export interface BasicSchedulingPolicy extends t.Static<typeof BasicSchedulingPolicy> {}

export const GangSchedulingPolicy = t.struct('scheduling/v1alpha2.GangSchedulingPolicy', {
  minCount: t.always(1, t.int32, { required: true }),
});
export interface GangSchedulingPolicy extends t.Static<typeof GangSchedulingPolicy> {}

export const PodGroupSchedulingPolicy = t.struct('scheduling/v1alpha2.PodGroupSchedulingPolicy', {
  basic: t.pointer(1, BasicSchedulingPolicy),
  gang: t.pointer(2, GangSchedulingPolicy),
});
export interface PodGroupSchedulingPolicy extends t.Static<typeof PodGroupSchedulingPolicy> {}
