/**
 * Which lists a strategic merge patch merges and by which keys, according to the schema of Kubernetes 1.21.2 that
 * kustomize includes. It lacks newer fields and kinds, so their lists are replaced as a whole.
 */

import { parseApiVersion } from '@coxswain/apimachinery/meta.ts';

/** `of`: the definition of the field or of its items. */
export interface MergeField {
  readonly of?: string;
  readonly strategy?: string;
  readonly keys?: readonly string[];
}

export type MergeDefinitions = Readonly<Record<string, Readonly<Record<string, MergeField>>>>;

/** The kinds with metadata, by apiVersion. */
const kindsByVersion: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1': 'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
  'apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition',
  'apiregistration.k8s.io/v1': 'APIService',
  'apiregistration.k8s.io/v1beta1': 'APIService',
  'apps/v1': 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
  'authentication.k8s.io/v1': 'TokenRequest TokenReview',
  'authentication.k8s.io/v1beta1': 'TokenReview',
  'authorization.k8s.io/v1':
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'authorization.k8s.io/v1beta1':
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'autoscaling/v1': 'HorizontalPodAutoscaler Scale',
  'autoscaling/v2beta1': 'HorizontalPodAutoscaler',
  'autoscaling/v2beta2': 'HorizontalPodAutoscaler',
  'batch/v1': 'CronJob Job',
  'batch/v1beta1': 'CronJob',
  'certificates.k8s.io/v1': 'CertificateSigningRequest',
  'certificates.k8s.io/v1beta1': 'CertificateSigningRequest',
  'coordination.k8s.io/v1': 'Lease',
  'coordination.k8s.io/v1beta1': 'Lease',
  'discovery.k8s.io/v1': 'EndpointSlice',
  'discovery.k8s.io/v1beta1': 'EndpointSlice',
  'events.k8s.io/v1': 'Event',
  'events.k8s.io/v1beta1': 'Event',
  'extensions/v1beta1': 'Ingress',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
  'networking.k8s.io/v1': 'Ingress IngressClass NetworkPolicy',
  'networking.k8s.io/v1beta1': 'Ingress IngressClass',
  'node.k8s.io/v1': 'RuntimeClass',
  'node.k8s.io/v1beta1': 'RuntimeClass',
  'policy/v1': 'PodDisruptionBudget',
  'policy/v1beta1': 'Eviction PodDisruptionBudget PodSecurityPolicy',
  'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'rbac.authorization.k8s.io/v1beta1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'scheduling.k8s.io/v1': 'PriorityClass',
  'scheduling.k8s.io/v1beta1': 'PriorityClass',
  'storage.k8s.io/v1': 'CSIDriver CSINode StorageClass VolumeAttachment',
  'storage.k8s.io/v1beta1': 'CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment',
  v1: 'Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
};

/**
 * The fields of each definition except the metadata of kinds, by package: `name>Definition` (of this package, or with
 * the name of another), `[keys]` for a list that is merged by them, and `!strategy` for any other strategy.
 */
const tables: Readonly<Record<string, string>> = {
  'admissionregistration.v1 admissionregistration.v1beta1': `
    MutatingWebhook: namespaceSelector>meta.v1.LabelSelector objectSelector>meta.v1.LabelSelector
    MutatingWebhookConfiguration: webhooks>MutatingWebhook[name]
    ValidatingWebhook: namespaceSelector>meta.v1.LabelSelector objectSelector>meta.v1.LabelSelector
    ValidatingWebhookConfiguration: webhooks>ValidatingWebhook[name]`,
  'apiregistration.v1 apiregistration.v1beta1': `
    APIService: status>APIServiceStatus
    APIServiceStatus: conditions[type]`,
  'apps.v1': `
    DaemonSet: spec>DaemonSetSpec status>DaemonSetStatus
    DaemonSetSpec: selector>meta.v1.LabelSelector template>core.v1.PodTemplateSpec
    DaemonSetStatus: conditions[type]
    Deployment: spec>DeploymentSpec status>DeploymentStatus
    DeploymentSpec: selector>meta.v1.LabelSelector strategy!retainKeys template>core.v1.PodTemplateSpec
    DeploymentStatus: conditions[type]
    Kustomization: configMapGenerator[name] secretGenerator[name]
    ReplicaSet: spec>ReplicaSetSpec status>ReplicaSetStatus
    ReplicaSetSpec: selector>meta.v1.LabelSelector template>core.v1.PodTemplateSpec
    ReplicaSetStatus: conditions[type]
    StatefulSet: spec>StatefulSetSpec status>StatefulSetStatus
    StatefulSetSpec: selector>meta.v1.LabelSelector template>core.v1.PodTemplateSpec
      volumeClaimTemplates>core.v1.PersistentVolumeClaim
    StatefulSetStatus: conditions[type]`,
  'autoscaling.v2beta1': `
    ExternalMetricSource: metricSelector>meta.v1.LabelSelector
    ExternalMetricStatus: metricSelector>meta.v1.LabelSelector
    HorizontalPodAutoscaler: spec>HorizontalPodAutoscalerSpec status>HorizontalPodAutoscalerStatus
    HorizontalPodAutoscalerSpec: metrics>MetricSpec
    HorizontalPodAutoscalerStatus: currentMetrics>MetricStatus
    MetricSpec: external>ExternalMetricSource object>ObjectMetricSource pods>PodsMetricSource
    MetricStatus: external>ExternalMetricStatus object>ObjectMetricStatus pods>PodsMetricStatus
    ObjectMetricSource: selector>meta.v1.LabelSelector
    ObjectMetricStatus: selector>meta.v1.LabelSelector
    PodsMetricSource: selector>meta.v1.LabelSelector
    PodsMetricStatus: selector>meta.v1.LabelSelector`,
  'autoscaling.v2beta2': `
    ExternalMetricSource: metric>MetricIdentifier
    ExternalMetricStatus: metric>MetricIdentifier
    HorizontalPodAutoscaler: spec>HorizontalPodAutoscalerSpec status>HorizontalPodAutoscalerStatus
    HorizontalPodAutoscalerSpec: metrics>MetricSpec
    HorizontalPodAutoscalerStatus: currentMetrics>MetricStatus
    MetricIdentifier: selector>meta.v1.LabelSelector
    MetricSpec: external>ExternalMetricSource object>ObjectMetricSource pods>PodsMetricSource
    MetricStatus: external>ExternalMetricStatus object>ObjectMetricStatus pods>PodsMetricStatus
    ObjectMetricSource: metric>MetricIdentifier
    ObjectMetricStatus: metric>MetricIdentifier
    PodsMetricSource: metric>MetricIdentifier
    PodsMetricStatus: metric>MetricIdentifier`,
  'batch.v1': `
    CronJob: spec>CronJobSpec
    CronJobSpec: jobTemplate>JobTemplateSpec
    Job: spec>JobSpec status>JobStatus
    JobSpec: selector>meta.v1.LabelSelector template>core.v1.PodTemplateSpec
    JobStatus: conditions[type]
    JobTemplateSpec: metadata>meta.v1.ObjectMeta spec>JobSpec`,
  'batch.v1beta1': `
    CronJob: spec>CronJobSpec
    CronJobSpec: jobTemplate>JobTemplateSpec
    JobTemplateSpec: metadata>meta.v1.ObjectMeta spec>batch.v1.JobSpec`,
  'core.v1': `
    Affinity: podAffinity>PodAffinity podAntiAffinity>PodAntiAffinity
    ComponentStatus: conditions[type]
    Container: env[name] ports[containerPort,protocol] volumeDevices[devicePath] volumeMounts[mountPath]
    EphemeralContainer: env[name] volumeDevices[devicePath] volumeMounts[mountPath]
    EphemeralVolumeSource: volumeClaimTemplate>PersistentVolumeClaimTemplate
    Namespace: status>NamespaceStatus
    NamespaceStatus: conditions[type]
    Node: spec>NodeSpec status>NodeStatus
    NodeSpec: podCIDRs!merge
    NodeStatus: addresses[type] conditions[type]
    PersistentVolumeClaim: spec>PersistentVolumeClaimSpec status>PersistentVolumeClaimStatus
    PersistentVolumeClaimSpec: selector>meta.v1.LabelSelector
    PersistentVolumeClaimStatus: conditions[type]
    PersistentVolumeClaimTemplate: metadata>meta.v1.ObjectMeta spec>PersistentVolumeClaimSpec
    Pod: spec>PodSpec status>PodStatus
    PodAffinity: preferredDuringSchedulingIgnoredDuringExecution>WeightedPodAffinityTerm
      requiredDuringSchedulingIgnoredDuringExecution>PodAffinityTerm
    PodAffinityTerm: labelSelector>meta.v1.LabelSelector namespaceSelector>meta.v1.LabelSelector
    PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution>WeightedPodAffinityTerm
      requiredDuringSchedulingIgnoredDuringExecution>PodAffinityTerm
    PodSpec: affinity>Affinity containers>Container[name] ephemeralContainers>EphemeralContainer[name]
      hostAliases[ip] imagePullSecrets[name] initContainers>Container[name]
      topologySpreadConstraints>TopologySpreadConstraint[topologyKey,whenUnsatisfiable]
      volumes>Volume!merge,retainKeys[name]
    PodStatus: conditions[type] podIPs[ip]
    PodTemplate: template>PodTemplateSpec
    PodTemplateSpec: metadata>meta.v1.ObjectMeta spec>PodSpec
    ReplicationController: spec>ReplicationControllerSpec status>ReplicationControllerStatus
    ReplicationControllerSpec: template>PodTemplateSpec
    ReplicationControllerStatus: conditions[type]
    Service: spec>ServiceSpec status>ServiceStatus
    ServiceAccount: secrets[name]
    ServiceSpec: ports[port,protocol]
    ServiceStatus: conditions[type]
    TopologySpreadConstraint: labelSelector>meta.v1.LabelSelector
    Volume: ephemeral>EphemeralVolumeSource
    WeightedPodAffinityTerm: podAffinityTerm>PodAffinityTerm`,
  'meta.v1': `
    LabelSelector: matchExpressions>LabelSelectorRequirement
    LabelSelectorRequirement: key[key]
    ObjectMeta: finalizers!merge ownerReferences[uid]`,
  'networking.v1': `
    NetworkPolicy: spec>NetworkPolicySpec
    NetworkPolicyEgressRule: to>NetworkPolicyPeer
    NetworkPolicyIngressRule: from>NetworkPolicyPeer
    NetworkPolicyPeer: namespaceSelector>meta.v1.LabelSelector podSelector>meta.v1.LabelSelector
    NetworkPolicySpec: egress>NetworkPolicyEgressRule ingress>NetworkPolicyIngressRule
      podSelector>meta.v1.LabelSelector`,
  'policy.v1 policy.v1beta1': `
    PodDisruptionBudget: spec>PodDisruptionBudgetSpec status>PodDisruptionBudgetStatus
    PodDisruptionBudgetSpec: selector>meta.v1.LabelSelector!replace
    PodDisruptionBudgetStatus: conditions[type]`,
  'rbac.v1 rbac.v1beta1': `
    AggregationRule: clusterRoleSelectors>meta.v1.LabelSelector
    ClusterRole: aggregationRule>AggregationRule`,
  'storage.v1': `
    CSINode: spec>CSINodeSpec
    CSINodeSpec: drivers[name]`,
  'storage.v1beta1': `
    CSINode: spec>CSINodeSpec
    CSINodeSpec: drivers[name]
    CSIStorageCapacity: nodeTopology>meta.v1.LabelSelector`,
};

const fieldPattern = /^(\w+)(?:>([\w.]+))?(?:!([\w,]+))?(?:\[([\w,]+)\])?$/;

function readField(text: string, within: string): readonly [string, MergeField] {
  const [, name, of, strategy, keys] = fieldPattern.exec(text)!;
  return [
    name!,
    {
      ...(of && { of: of.includes('.') ? of : `${within}.${of}` }),
      ...((strategy ?? keys) && { strategy: strategy ?? 'merge' }),
      ...(keys && { keys: keys.split(',') }),
    },
  ];
}

const readTable = (within: string, table: string): readonly (readonly [string, MergeDefinitions[string]])[] =>
  Array.from(table.matchAll(/(\w+):([^:]+)(?=\s\w+:|$)/g), ([, kind, fields]) => [
    `${within}.${kind}`,
    Object.fromEntries(
      fields!
        .trim()
        .split(/\s+/)
        .map((field) => readField(field, within)),
    ),
  ]);

const definitions: MergeDefinitions = Object.fromEntries(
  Object.entries(tables).flatMap(([packages, table]) =>
    packages.split(' ').flatMap((within) => readTable(within, table)),
  ),
);

const builtin = Object.entries(kindsByVersion).flatMap(([apiVersion, kinds]) => {
  const { group, version } = parseApiVersion(apiVersion);
  const prefix = `${group === '' ? 'core' : group.split('.')[0]}.${version}`;
  return kinds.split(' ').map((kind) => ({ key: `${apiVersion}/${kind}`, definition: `${prefix}.${kind}` }));
});

export const builtinDefinitions: MergeDefinitions = {
  ...definitions,
  ...Object.fromEntries(
    builtin.map(({ definition }) => [
      definition,
      { metadata: { of: 'meta.v1.ObjectMeta' }, ...definitions[definition] },
    ]),
  ),
};

/** `apps/v1/Deployment` → `apps.v1.Deployment` */
export const builtinKinds: Readonly<Record<string, string>> = {
  'kustomize.config.k8s.io/v1beta1/Kustomization': 'apps.v1.Kustomization',
  ...Object.fromEntries(builtin.map(({ key, definition }) => [key, definition])),
};
