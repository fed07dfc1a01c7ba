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

/** Fields of definitions, without the metadata of kinds. */
const definitions: MergeDefinitions = {
  'admissionregistration.v1.MutatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1.MutatingWebhookConfiguration': {
    webhooks: { of: 'admissionregistration.v1.MutatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'admissionregistration.v1.ValidatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1.ValidatingWebhookConfiguration': {
    webhooks: { of: 'admissionregistration.v1.ValidatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'admissionregistration.v1beta1.MutatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1beta1.MutatingWebhookConfiguration': {
    webhooks: { of: 'admissionregistration.v1beta1.MutatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'admissionregistration.v1beta1.ValidatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1beta1.ValidatingWebhookConfiguration': {
    webhooks: { of: 'admissionregistration.v1beta1.ValidatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'apiregistration.v1.APIService': {
    status: { of: 'apiregistration.v1.APIServiceStatus' },
  },
  'apiregistration.v1.APIServiceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apiregistration.v1beta1.APIService': {
    status: { of: 'apiregistration.v1beta1.APIServiceStatus' },
  },
  'apiregistration.v1beta1.APIServiceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apps.v1.DaemonSet': {
    spec: { of: 'apps.v1.DaemonSetSpec' },
    status: { of: 'apps.v1.DaemonSetStatus' },
  },
  'apps.v1.DaemonSetSpec': {
    selector: { of: 'meta.v1.LabelSelector' },
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'apps.v1.DaemonSetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apps.v1.Deployment': {
    spec: { of: 'apps.v1.DeploymentSpec' },
    status: { of: 'apps.v1.DeploymentStatus' },
  },
  'apps.v1.DeploymentSpec': {
    selector: { of: 'meta.v1.LabelSelector' },
    strategy: { strategy: 'retainKeys' },
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'apps.v1.DeploymentStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apps.v1.Kustomization': {
    configMapGenerator: { strategy: 'merge', keys: ['name'] },
    secretGenerator: { strategy: 'merge', keys: ['name'] },
  },
  'apps.v1.ReplicaSet': {
    spec: { of: 'apps.v1.ReplicaSetSpec' },
    status: { of: 'apps.v1.ReplicaSetStatus' },
  },
  'apps.v1.ReplicaSetSpec': {
    selector: { of: 'meta.v1.LabelSelector' },
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'apps.v1.ReplicaSetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apps.v1.StatefulSet': {
    spec: { of: 'apps.v1.StatefulSetSpec' },
    status: { of: 'apps.v1.StatefulSetStatus' },
  },
  'apps.v1.StatefulSetSpec': {
    selector: { of: 'meta.v1.LabelSelector' },
    template: { of: 'core.v1.PodTemplateSpec' },
    volumeClaimTemplates: { of: 'core.v1.PersistentVolumeClaim' },
  },
  'apps.v1.StatefulSetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'autoscaling.v2beta1.ExternalMetricSource': {
    metricSelector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.ExternalMetricStatus': {
    metricSelector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.HorizontalPodAutoscaler': {
    spec: { of: 'autoscaling.v2beta1.HorizontalPodAutoscalerSpec' },
    status: { of: 'autoscaling.v2beta1.HorizontalPodAutoscalerStatus' },
  },
  'autoscaling.v2beta1.HorizontalPodAutoscalerSpec': {
    metrics: { of: 'autoscaling.v2beta1.MetricSpec' },
  },
  'autoscaling.v2beta1.HorizontalPodAutoscalerStatus': {
    currentMetrics: { of: 'autoscaling.v2beta1.MetricStatus' },
  },
  'autoscaling.v2beta1.MetricSpec': {
    external: { of: 'autoscaling.v2beta1.ExternalMetricSource' },
    object: { of: 'autoscaling.v2beta1.ObjectMetricSource' },
    pods: { of: 'autoscaling.v2beta1.PodsMetricSource' },
  },
  'autoscaling.v2beta1.MetricStatus': {
    external: { of: 'autoscaling.v2beta1.ExternalMetricStatus' },
    object: { of: 'autoscaling.v2beta1.ObjectMetricStatus' },
    pods: { of: 'autoscaling.v2beta1.PodsMetricStatus' },
  },
  'autoscaling.v2beta1.ObjectMetricSource': {
    selector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.ObjectMetricStatus': {
    selector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.PodsMetricSource': {
    selector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.PodsMetricStatus': {
    selector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta2.ExternalMetricSource': {
    metric: { of: 'autoscaling.v2beta2.MetricIdentifier' },
  },
  'autoscaling.v2beta2.ExternalMetricStatus': {
    metric: { of: 'autoscaling.v2beta2.MetricIdentifier' },
  },
  'autoscaling.v2beta2.HorizontalPodAutoscaler': {
    spec: { of: 'autoscaling.v2beta2.HorizontalPodAutoscalerSpec' },
    status: { of: 'autoscaling.v2beta2.HorizontalPodAutoscalerStatus' },
  },
  'autoscaling.v2beta2.HorizontalPodAutoscalerSpec': {
    metrics: { of: 'autoscaling.v2beta2.MetricSpec' },
  },
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus': {
    currentMetrics: { of: 'autoscaling.v2beta2.MetricStatus' },
  },
  'autoscaling.v2beta2.MetricIdentifier': {
    selector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta2.MetricSpec': {
    external: { of: 'autoscaling.v2beta2.ExternalMetricSource' },
    object: { of: 'autoscaling.v2beta2.ObjectMetricSource' },
    pods: { of: 'autoscaling.v2beta2.PodsMetricSource' },
  },
  'autoscaling.v2beta2.MetricStatus': {
    external: { of: 'autoscaling.v2beta2.ExternalMetricStatus' },
    object: { of: 'autoscaling.v2beta2.ObjectMetricStatus' },
    pods: { of: 'autoscaling.v2beta2.PodsMetricStatus' },
  },
  'autoscaling.v2beta2.ObjectMetricSource': {
    metric: { of: 'autoscaling.v2beta2.MetricIdentifier' },
  },
  'autoscaling.v2beta2.ObjectMetricStatus': {
    metric: { of: 'autoscaling.v2beta2.MetricIdentifier' },
  },
  'autoscaling.v2beta2.PodsMetricSource': {
    metric: { of: 'autoscaling.v2beta2.MetricIdentifier' },
  },
  'autoscaling.v2beta2.PodsMetricStatus': {
    metric: { of: 'autoscaling.v2beta2.MetricIdentifier' },
  },
  'batch.v1.CronJob': {
    spec: { of: 'batch.v1.CronJobSpec' },
  },
  'batch.v1.CronJobSpec': {
    jobTemplate: { of: 'batch.v1.JobTemplateSpec' },
  },
  'batch.v1.Job': {
    spec: { of: 'batch.v1.JobSpec' },
    status: { of: 'batch.v1.JobStatus' },
  },
  'batch.v1.JobSpec': {
    selector: { of: 'meta.v1.LabelSelector' },
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'batch.v1.JobStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'batch.v1.JobTemplateSpec': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'batch.v1.JobSpec' },
  },
  'batch.v1beta1.CronJob': {
    spec: { of: 'batch.v1beta1.CronJobSpec' },
  },
  'batch.v1beta1.CronJobSpec': {
    jobTemplate: { of: 'batch.v1beta1.JobTemplateSpec' },
  },
  'batch.v1beta1.JobTemplateSpec': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'batch.v1.JobSpec' },
  },
  'core.v1.Affinity': {
    podAffinity: { of: 'core.v1.PodAffinity' },
    podAntiAffinity: { of: 'core.v1.PodAntiAffinity' },
  },
  'core.v1.ComponentStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.Container': {
    env: { strategy: 'merge', keys: ['name'] },
    ports: { strategy: 'merge', keys: ['containerPort', 'protocol'] },
    volumeDevices: { strategy: 'merge', keys: ['devicePath'] },
    volumeMounts: { strategy: 'merge', keys: ['mountPath'] },
  },
  'core.v1.EphemeralContainer': {
    env: { strategy: 'merge', keys: ['name'] },
    volumeDevices: { strategy: 'merge', keys: ['devicePath'] },
    volumeMounts: { strategy: 'merge', keys: ['mountPath'] },
  },
  'core.v1.EphemeralVolumeSource': {
    volumeClaimTemplate: { of: 'core.v1.PersistentVolumeClaimTemplate' },
  },
  'core.v1.Namespace': {
    status: { of: 'core.v1.NamespaceStatus' },
  },
  'core.v1.NamespaceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.Node': {
    spec: { of: 'core.v1.NodeSpec' },
    status: { of: 'core.v1.NodeStatus' },
  },
  'core.v1.NodeSpec': {
    podCIDRs: { strategy: 'merge' },
  },
  'core.v1.NodeStatus': {
    addresses: { strategy: 'merge', keys: ['type'] },
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.PersistentVolumeClaim': {
    spec: { of: 'core.v1.PersistentVolumeClaimSpec' },
    status: { of: 'core.v1.PersistentVolumeClaimStatus' },
  },
  'core.v1.PersistentVolumeClaimSpec': {
    selector: { of: 'meta.v1.LabelSelector' },
  },
  'core.v1.PersistentVolumeClaimStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.PersistentVolumeClaimTemplate': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'core.v1.PersistentVolumeClaimSpec' },
  },
  'core.v1.Pod': {
    spec: { of: 'core.v1.PodSpec' },
    status: { of: 'core.v1.PodStatus' },
  },
  'core.v1.PodAffinity': {
    preferredDuringSchedulingIgnoredDuringExecution: { of: 'core.v1.WeightedPodAffinityTerm' },
    requiredDuringSchedulingIgnoredDuringExecution: { of: 'core.v1.PodAffinityTerm' },
  },
  'core.v1.PodAffinityTerm': {
    labelSelector: { of: 'meta.v1.LabelSelector' },
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
  },
  'core.v1.PodAntiAffinity': {
    preferredDuringSchedulingIgnoredDuringExecution: { of: 'core.v1.WeightedPodAffinityTerm' },
    requiredDuringSchedulingIgnoredDuringExecution: { of: 'core.v1.PodAffinityTerm' },
  },
  'core.v1.PodSpec': {
    affinity: { of: 'core.v1.Affinity' },
    containers: { of: 'core.v1.Container', strategy: 'merge', keys: ['name'] },
    ephemeralContainers: { of: 'core.v1.EphemeralContainer', strategy: 'merge', keys: ['name'] },
    hostAliases: { strategy: 'merge', keys: ['ip'] },
    imagePullSecrets: { strategy: 'merge', keys: ['name'] },
    initContainers: { of: 'core.v1.Container', strategy: 'merge', keys: ['name'] },
    topologySpreadConstraints: {
      of: 'core.v1.TopologySpreadConstraint',
      strategy: 'merge',
      keys: ['topologyKey', 'whenUnsatisfiable'],
    },
    volumes: { of: 'core.v1.Volume', strategy: 'merge,retainKeys', keys: ['name'] },
  },
  'core.v1.PodStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
    podIPs: { strategy: 'merge', keys: ['ip'] },
  },
  'core.v1.PodTemplate': {
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'core.v1.PodTemplateSpec': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'core.v1.PodSpec' },
  },
  'core.v1.ReplicationController': {
    spec: { of: 'core.v1.ReplicationControllerSpec' },
    status: { of: 'core.v1.ReplicationControllerStatus' },
  },
  'core.v1.ReplicationControllerSpec': {
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'core.v1.ReplicationControllerStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.Service': {
    spec: { of: 'core.v1.ServiceSpec' },
    status: { of: 'core.v1.ServiceStatus' },
  },
  'core.v1.ServiceAccount': {
    secrets: { strategy: 'merge', keys: ['name'] },
  },
  'core.v1.ServiceSpec': {
    ports: { strategy: 'merge', keys: ['port', 'protocol'] },
  },
  'core.v1.ServiceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.TopologySpreadConstraint': {
    labelSelector: { of: 'meta.v1.LabelSelector' },
  },
  'core.v1.Volume': {
    ephemeral: { of: 'core.v1.EphemeralVolumeSource' },
  },
  'core.v1.WeightedPodAffinityTerm': {
    podAffinityTerm: { of: 'core.v1.PodAffinityTerm' },
  },
  'meta.v1.LabelSelector': {
    matchExpressions: { of: 'meta.v1.LabelSelectorRequirement' },
  },
  'meta.v1.LabelSelectorRequirement': {
    key: { strategy: 'merge', keys: ['key'] },
  },
  'meta.v1.ObjectMeta': {
    finalizers: { strategy: 'merge' },
    ownerReferences: { strategy: 'merge', keys: ['uid'] },
  },
  'networking.v1.NetworkPolicy': {
    spec: { of: 'networking.v1.NetworkPolicySpec' },
  },
  'networking.v1.NetworkPolicyEgressRule': {
    to: { of: 'networking.v1.NetworkPolicyPeer' },
  },
  'networking.v1.NetworkPolicyIngressRule': {
    from: { of: 'networking.v1.NetworkPolicyPeer' },
  },
  'networking.v1.NetworkPolicyPeer': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    podSelector: { of: 'meta.v1.LabelSelector' },
  },
  'networking.v1.NetworkPolicySpec': {
    egress: { of: 'networking.v1.NetworkPolicyEgressRule' },
    ingress: { of: 'networking.v1.NetworkPolicyIngressRule' },
    podSelector: { of: 'meta.v1.LabelSelector' },
  },
  'policy.v1.PodDisruptionBudget': {
    spec: { of: 'policy.v1.PodDisruptionBudgetSpec' },
    status: { of: 'policy.v1.PodDisruptionBudgetStatus' },
  },
  'policy.v1.PodDisruptionBudgetSpec': {
    selector: { of: 'meta.v1.LabelSelector', strategy: 'replace' },
  },
  'policy.v1.PodDisruptionBudgetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'policy.v1beta1.PodDisruptionBudget': {
    spec: { of: 'policy.v1beta1.PodDisruptionBudgetSpec' },
    status: { of: 'policy.v1beta1.PodDisruptionBudgetStatus' },
  },
  'policy.v1beta1.PodDisruptionBudgetSpec': {
    selector: { of: 'meta.v1.LabelSelector', strategy: 'replace' },
  },
  'policy.v1beta1.PodDisruptionBudgetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'rbac.v1.AggregationRule': {
    clusterRoleSelectors: { of: 'meta.v1.LabelSelector' },
  },
  'rbac.v1.ClusterRole': {
    aggregationRule: { of: 'rbac.v1.AggregationRule' },
  },
  'rbac.v1beta1.AggregationRule': {
    clusterRoleSelectors: { of: 'meta.v1.LabelSelector' },
  },
  'rbac.v1beta1.ClusterRole': {
    aggregationRule: { of: 'rbac.v1beta1.AggregationRule' },
  },
  'storage.v1.CSINode': {
    spec: { of: 'storage.v1.CSINodeSpec' },
  },
  'storage.v1.CSINodeSpec': {
    drivers: { strategy: 'merge', keys: ['name'] },
  },
  'storage.v1beta1.CSINode': {
    spec: { of: 'storage.v1beta1.CSINodeSpec' },
  },
  'storage.v1beta1.CSINodeSpec': {
    drivers: { strategy: 'merge', keys: ['name'] },
  },
  'storage.v1beta1.CSIStorageCapacity': {
    nodeTopology: { of: 'meta.v1.LabelSelector' },
  },
};

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
