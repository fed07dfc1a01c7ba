/** The fields of built-in kinds that transformers change. */
import type { FieldSpec } from './field-spec.ts';

export const templateLabelSpecs: readonly FieldSpec[] = [
  { path: 'metadata/labels', create: true },
  { path: 'spec/template/metadata/labels', version: 'v1', kind: 'ReplicationController', create: true },
  { path: 'spec/template/metadata/labels', kind: 'Deployment', create: true },
  { path: 'spec/template/metadata/labels', kind: 'ReplicaSet', create: true },
  { path: 'spec/template/metadata/labels', kind: 'DaemonSet', create: true },
  { path: 'spec/template/metadata/labels', group: 'apps', kind: 'StatefulSet', create: true },
  { path: 'spec/volumeClaimTemplates[]/metadata/labels', group: 'apps', kind: 'StatefulSet', create: true },
  { path: 'spec/template/metadata/labels', group: 'batch', kind: 'Job', create: true },
  { path: 'spec/jobTemplate/metadata/labels', group: 'batch', kind: 'CronJob', create: true },
  { path: 'spec/jobTemplate/spec/template/metadata/labels', group: 'batch', kind: 'CronJob', create: true },
];

export const commonLabelSpecs: readonly FieldSpec[] = [
  { path: 'spec/selector', version: 'v1', kind: 'Service', create: true },
  { path: 'spec/selector', version: 'v1', kind: 'ReplicationController', create: true },
  { path: 'spec/selector/matchLabels', kind: 'Deployment', create: true },
  {
    path: 'spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels',
    group: 'apps',
    kind: 'Deployment',
  },
  {
    path: 'spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels',
    group: 'apps',
    kind: 'Deployment',
  },
  {
    path: 'spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels',
    group: 'apps',
    kind: 'Deployment',
  },
  {
    path: 'spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels',
    group: 'apps',
    kind: 'Deployment',
  },
  {
    path: 'spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels',
    group: 'apps',
    kind: 'Deployment',
  },
  { path: 'spec/selector/matchLabels', kind: 'ReplicaSet', create: true },
  { path: 'spec/selector/matchLabels', kind: 'DaemonSet', create: true },
  { path: 'spec/selector/matchLabels', group: 'apps', kind: 'StatefulSet', create: true },
  {
    path: 'spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels',
    group: 'apps',
    kind: 'StatefulSet',
  },
  {
    path: 'spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels',
    group: 'apps',
    kind: 'StatefulSet',
  },
  {
    path: 'spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels',
    group: 'apps',
    kind: 'StatefulSet',
  },
  {
    path: 'spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels',
    group: 'apps',
    kind: 'StatefulSet',
  },
  {
    path: 'spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels',
    group: 'apps',
    kind: 'StatefulSet',
  },
  { path: 'spec/selector/matchLabels', group: 'batch', kind: 'Job' },
  { path: 'spec/jobTemplate/spec/selector/matchLabels', group: 'batch', kind: 'CronJob' },
  { path: 'spec/selector/matchLabels', group: 'policy', kind: 'PodDisruptionBudget' },
  { path: 'spec/podSelector/matchLabels', group: 'networking.k8s.io', kind: 'NetworkPolicy' },
  { path: 'spec/ingress/from/podSelector/matchLabels', group: 'networking.k8s.io', kind: 'NetworkPolicy' },
  { path: 'spec/egress/to/podSelector/matchLabels', group: 'networking.k8s.io', kind: 'NetworkPolicy' },
  ...templateLabelSpecs,
];

export const commonAnnotationSpecs: readonly FieldSpec[] = [
  { path: 'metadata/annotations', create: true },
  { path: 'spec/template/metadata/annotations', version: 'v1', kind: 'ReplicationController', create: true },
  { path: 'spec/template/metadata/annotations', kind: 'Deployment', create: true },
  { path: 'spec/template/metadata/annotations', kind: 'ReplicaSet', create: true },
  { path: 'spec/template/metadata/annotations', kind: 'DaemonSet', create: true },
  { path: 'spec/template/metadata/annotations', kind: 'StatefulSet', create: true },
  { path: 'spec/template/metadata/annotations', group: 'batch', kind: 'Job', create: true },
  { path: 'spec/jobTemplate/metadata/annotations', group: 'batch', kind: 'CronJob', create: true },
  {
    path: 'spec/jobTemplate/spec/template/metadata/annotations',
    group: 'batch',
    kind: 'CronJob',
    create: true,
  },
];

export const namespaceSpecs: readonly FieldSpec[] = [
  { path: 'metadata/name', kind: 'Namespace', create: true },
  { path: 'spec/service/namespace', group: 'apiregistration.k8s.io', kind: 'APIService', create: true },
  {
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
  },
];

export const imageSpecs: readonly FieldSpec[] = [
  { path: 'spec/containers[]/image', create: true },
  { path: 'spec/initContainers[]/image', create: true },
  { path: 'spec/volumes[]/image/reference', create: true },
  { path: 'spec/template/spec/containers[]/image', create: true },
  { path: 'spec/template/spec/initContainers[]/image', create: true },
  { path: 'spec/template/spec/volumes[]/image/reference', create: true },
];

export const replicaSpecs: readonly FieldSpec[] = [
  { path: 'spec/replicas', kind: 'Deployment', create: true },
  { path: 'spec/replicas', kind: 'ReplicationController', create: true },
  { path: 'spec/replicas', kind: 'ReplicaSet', create: true },
  { path: 'spec/replicas', kind: 'StatefulSet', create: true },
];
