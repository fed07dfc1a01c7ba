/** The order of this server's own groups in discovery, and their APIService objects. */

import { serverManager, type BootstrapObject } from '../bootstrap-object.ts';

export interface Priority {
  readonly group: number;
  readonly version: number;
}

/** The priorities of the group and of each version, from upstream's table: higher ones come first. */
const priorities: Readonly<Record<string, readonly [number, Readonly<Record<string, number>>]>> = {
  '': [18000, { v1: 1 }],
  apps: [17800, { v1: 15, v1beta2: 9, v1beta1: 1 }],
  'events.k8s.io': [17750, { v1: 15, v1beta1: 5 }],
  'authentication.k8s.io': [17700, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'authorization.k8s.io': [17600, { v1: 15, v1beta1: 9 }],
  autoscaling: [17500, { v1: 15, v2: 30, v2beta1: 9, v2beta2: 1 }],
  batch: [17400, { v1: 15, v1beta1: 9, v2alpha1: 9 }],
  'certificates.k8s.io': [17300, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'networking.k8s.io': [17200, { v1: 15, v1beta1: 9 }],
  extensions: [17150, { v1beta1: 1 }],
  policy: [17100, { v1: 15, v1beta1: 9 }],
  'rbac.authorization.k8s.io': [17000, { v1: 15, v1beta1: 12, v1alpha1: 9 }],
  'settings.k8s.io': [16900, { v1alpha1: 9 }],
  'storage.k8s.io': [16800, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'apiextensions.k8s.io': [16700, { v1: 15, v1beta1: 9 }],
  'admissionregistration.k8s.io': [16700, { v1: 15, v1beta1: 12, v1alpha1: 9 }],
  'scheduling.k8s.io': [16600, { v1: 15, v1beta1: 12, v1alpha2: 2 }],
  'coordination.k8s.io': [16500, { v1: 15, v1beta1: 13, v1alpha2: 12 }],
  'auditregistration.k8s.io': [16400, { v1alpha1: 1 }],
  'node.k8s.io': [16300, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'discovery.k8s.io': [16200, { v1: 15, v1beta1: 12 }],
  'resource.k8s.io': [16200, { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 }],
  'flowcontrol.apiserver.k8s.io': [16100, { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 }],
  'internal.apiserver.k8s.io': [16000, { v1alpha1: 9 }],
  'storagemigration.k8s.io': [15800, { v1beta1: 9 }],
};

/** The default for other groups; those of custom resources have version priority 100. */
const otherGroups: Priority = { group: 1000, version: 15 };

export const customResourcePriority: Priority = { group: 1000, version: 100 };

export const priorityOf = (group: string, version: string): Priority => {
  const [groupPriority, versions] = priorities[group] ?? [otherGroups.group, {}];
  return { group: groupPriority, version: versions[version] ?? otherGroups.version };
};

/** The name of the APIService of a group version. */
const apiServiceName = (group: string, version: string): string => `${version}.${group}`;

export const localApiService = (group: string, version: string): BootstrapObject => {
  const priority = priorityOf(group, version);
  return {
    group: 'apiregistration.k8s.io',
    version: 'v1',
    resource: 'apiservices',
    manager: serverManager,
    object: {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: {
        name: apiServiceName(group, version),
        labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
      },
      spec: {
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: priority.group,
        versionPriority: priority.version,
      },
    },
  };
};
