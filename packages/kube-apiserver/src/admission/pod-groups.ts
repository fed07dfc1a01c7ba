/** The parts of pod groups and their workloads that admission needs. */
import type * as schedulingAlpha from '@coxswain/api/scheduling/v1alpha2/index.ts';
import type { Live } from '@coxswain/apimachinery';

const group = 'scheduling.k8s.io';
export const podGroups = { group, resource: 'podgroups' };
export const workloads = { group, resource: 'workloads' };

export type PodGroup = Live<schedulingAlpha.PodGroup>;

export type Workload = Live<schedulingAlpha.Workload>;
