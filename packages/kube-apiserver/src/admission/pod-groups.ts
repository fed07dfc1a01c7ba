/** Groups of pods and what they are made from, as far as admission looks at them. */
import type { KubeObject } from '@coxswain/apimachinery';

const group = 'scheduling.k8s.io';
export const podGroups = { group, resource: 'podgroups' };
export const workloads = { group, resource: 'workloads' };

export interface PodGroup extends KubeObject {
  readonly spec?: {
    readonly schedulingPolicy?: { readonly gang?: object };
    readonly podGroupTemplateRef?: {
      readonly workload?: { readonly workloadName: string; readonly podGroupTemplateName: string };
    };
  };
}

export interface Workload extends KubeObject {
  readonly spec?: { readonly podGroupTemplates?: readonly { readonly name: string }[] };
}
