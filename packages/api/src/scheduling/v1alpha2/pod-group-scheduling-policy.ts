import { always, int32, pointer, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const BasicSchedulingPolicy = struct('scheduling/v1alpha2.BasicSchedulingPolicy', {});
export interface BasicSchedulingPolicy extends Static<typeof BasicSchedulingPolicy> {}

export const GangSchedulingPolicy = struct('scheduling/v1alpha2.GangSchedulingPolicy', {
  minCount: always(1, int32, { required: true }),
});
export interface GangSchedulingPolicy extends Static<typeof GangSchedulingPolicy> {}

export const PodGroupSchedulingPolicy = struct('scheduling/v1alpha2.PodGroupSchedulingPolicy', {
  basic: pointer(1, BasicSchedulingPolicy),
  gang: pointer(2, GangSchedulingPolicy),
});
export interface PodGroupSchedulingPolicy extends Static<typeof PodGroupSchedulingPolicy> {}
