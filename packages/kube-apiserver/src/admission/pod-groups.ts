/** Groups of pods and what they are made from, as far as admission looks at them. */
import type * as schedulingAlpha from '@coxswain/api/scheduling/v1alpha2/index.ts';
import type { Live } from '@coxswain/apimachinery';

const group = 'scheduling.k8s.io';
export const podGroups = { group, resource: 'podgroups' };
export const workloads = { group, resource: 'workloads' };

export type PodGroup = Live<schedulingAlpha.PodGroup>;

export type Workload = Live<schedulingAlpha.Workload>;
