/**
 * Which lists a strategic merge patch merges and by which keys, according to the schema of Kubernetes 1.21.2 that
 * kustomize includes. It lacks newer fields and kinds, so their lists are replaced as a whole.
 */

/** `of`: the definition of the field or of its items. */
export interface MergeField {
  readonly of?: string;
  readonly strategy?: string;
  readonly keys?: readonly string[];
}

export type MergeDefinitions = Readonly<Record<string, Readonly<Record<string, MergeField>>>>;

export const builtinDefinitions: MergeDefinitions = {
  'admissionregistration.v1.MutatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1.MutatingWebhookConfiguration': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    webhooks: { of: 'admissionregistration.v1.MutatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'admissionregistration.v1.ValidatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1.ValidatingWebhookConfiguration': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    webhooks: { of: 'admissionregistration.v1.ValidatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'admissionregistration.v1beta1.MutatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1beta1.MutatingWebhookConfiguration': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    webhooks: { of: 'admissionregistration.v1beta1.MutatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'admissionregistration.v1beta1.ValidatingWebhook': {
    namespaceSelector: { of: 'meta.v1.LabelSelector' },
    objectSelector: { of: 'meta.v1.LabelSelector' },
  },
  'admissionregistration.v1beta1.ValidatingWebhookConfiguration': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    webhooks: { of: 'admissionregistration.v1beta1.ValidatingWebhook', strategy: 'merge', keys: ['name'] },
  },
  'apiextensions.v1.CustomResourceDefinition': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'apiextensions.v1beta1.CustomResourceDefinition': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'apiregistration.v1.APIService': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    status: { of: 'apiregistration.v1.APIServiceStatus' },
  },
  'apiregistration.v1.APIServiceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apiregistration.v1beta1.APIService': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    status: { of: 'apiregistration.v1beta1.APIServiceStatus' },
  },
  'apiregistration.v1beta1.APIServiceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'apps.v1.ControllerRevision': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'apps.v1.DaemonSet': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
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
  'authentication.v1.TokenRequest': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authentication.v1.TokenReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authentication.v1beta1.TokenReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1.LocalSubjectAccessReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1.SelfSubjectAccessReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1.SelfSubjectRulesReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1.SubjectAccessReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1beta1.LocalSubjectAccessReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1beta1.SelfSubjectAccessReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1beta1.SelfSubjectRulesReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'authorization.v1beta1.SubjectAccessReview': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'autoscaling.v1.HorizontalPodAutoscaler': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'autoscaling.v1.Scale': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'autoscaling.v2beta1.ExternalMetricSource': {
    metricSelector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.ExternalMetricStatus': {
    metricSelector: { of: 'meta.v1.LabelSelector' },
  },
  'autoscaling.v2beta1.HorizontalPodAutoscaler': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'batch.v1.CronJobSpec' },
  },
  'batch.v1.CronJobSpec': {
    jobTemplate: { of: 'batch.v1.JobTemplateSpec' },
  },
  'batch.v1.Job': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'batch.v1beta1.CronJobSpec' },
  },
  'batch.v1beta1.CronJobSpec': {
    jobTemplate: { of: 'batch.v1beta1.JobTemplateSpec' },
  },
  'batch.v1beta1.JobTemplateSpec': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'batch.v1.JobSpec' },
  },
  'certificates.v1.CertificateSigningRequest': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'certificates.v1beta1.CertificateSigningRequest': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'coordination.v1.Lease': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'coordination.v1beta1.Lease': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.Affinity': {
    podAffinity: { of: 'core.v1.PodAffinity' },
    podAntiAffinity: { of: 'core.v1.PodAntiAffinity' },
  },
  'core.v1.Binding': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.ComponentStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.ConfigMap': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.Container': {
    env: { strategy: 'merge', keys: ['name'] },
    ports: { strategy: 'merge', keys: ['containerPort', 'protocol'] },
    volumeDevices: { strategy: 'merge', keys: ['devicePath'] },
    volumeMounts: { strategy: 'merge', keys: ['mountPath'] },
  },
  'core.v1.Endpoints': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.EphemeralContainer': {
    env: { strategy: 'merge', keys: ['name'] },
    volumeDevices: { strategy: 'merge', keys: ['devicePath'] },
    volumeMounts: { strategy: 'merge', keys: ['mountPath'] },
  },
  'core.v1.EphemeralVolumeSource': {
    volumeClaimTemplate: { of: 'core.v1.PersistentVolumeClaimTemplate' },
  },
  'core.v1.Event': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.LimitRange': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.Namespace': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    status: { of: 'core.v1.NamespaceStatus' },
  },
  'core.v1.NamespaceStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.Node': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
  'core.v1.PersistentVolume': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.PersistentVolumeClaim': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
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
    metadata: { of: 'meta.v1.ObjectMeta' },
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'core.v1.PodTemplateSpec': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'core.v1.PodSpec' },
  },
  'core.v1.ReplicationController': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'core.v1.ReplicationControllerSpec' },
    status: { of: 'core.v1.ReplicationControllerStatus' },
  },
  'core.v1.ReplicationControllerSpec': {
    template: { of: 'core.v1.PodTemplateSpec' },
  },
  'core.v1.ReplicationControllerStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'core.v1.ResourceQuota': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.Secret': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'core.v1.Service': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'core.v1.ServiceSpec' },
    status: { of: 'core.v1.ServiceStatus' },
  },
  'core.v1.ServiceAccount': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
  'discovery.v1.EndpointSlice': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'discovery.v1beta1.EndpointSlice': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'events.v1.Event': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'events.v1beta1.Event': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'extensions.v1beta1.Ingress': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'flowcontrol.v1beta1.FlowSchema': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'flowcontrol.v1beta1.PriorityLevelConfiguration': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
  'networking.v1.Ingress': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'networking.v1.IngressClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'networking.v1.NetworkPolicy': {
    metadata: { of: 'meta.v1.ObjectMeta' },
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
  'networking.v1beta1.Ingress': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'networking.v1beta1.IngressClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'node.v1.RuntimeClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'node.v1beta1.RuntimeClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'policy.v1.PodDisruptionBudget': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'policy.v1.PodDisruptionBudgetSpec' },
    status: { of: 'policy.v1.PodDisruptionBudgetStatus' },
  },
  'policy.v1.PodDisruptionBudgetSpec': {
    selector: { of: 'meta.v1.LabelSelector', strategy: 'replace' },
  },
  'policy.v1.PodDisruptionBudgetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'policy.v1beta1.Eviction': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'policy.v1beta1.PodDisruptionBudget': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'policy.v1beta1.PodDisruptionBudgetSpec' },
    status: { of: 'policy.v1beta1.PodDisruptionBudgetStatus' },
  },
  'policy.v1beta1.PodDisruptionBudgetSpec': {
    selector: { of: 'meta.v1.LabelSelector', strategy: 'replace' },
  },
  'policy.v1beta1.PodDisruptionBudgetStatus': {
    conditions: { strategy: 'merge', keys: ['type'] },
  },
  'policy.v1beta1.PodSecurityPolicy': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1.AggregationRule': {
    clusterRoleSelectors: { of: 'meta.v1.LabelSelector' },
  },
  'rbac.v1.ClusterRole': {
    aggregationRule: { of: 'rbac.v1.AggregationRule' },
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1.ClusterRoleBinding': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1.Role': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1.RoleBinding': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1beta1.AggregationRule': {
    clusterRoleSelectors: { of: 'meta.v1.LabelSelector' },
  },
  'rbac.v1beta1.ClusterRole': {
    aggregationRule: { of: 'rbac.v1beta1.AggregationRule' },
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1beta1.ClusterRoleBinding': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1beta1.Role': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'rbac.v1beta1.RoleBinding': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'scheduling.v1.PriorityClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'scheduling.v1beta1.PriorityClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'storage.v1.CSIDriver': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'storage.v1.CSINode': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'storage.v1.CSINodeSpec' },
  },
  'storage.v1.CSINodeSpec': {
    drivers: { strategy: 'merge', keys: ['name'] },
  },
  'storage.v1.StorageClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'storage.v1.VolumeAttachment': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'storage.v1beta1.CSIDriver': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'storage.v1beta1.CSINode': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    spec: { of: 'storage.v1beta1.CSINodeSpec' },
  },
  'storage.v1beta1.CSINodeSpec': {
    drivers: { strategy: 'merge', keys: ['name'] },
  },
  'storage.v1beta1.CSIStorageCapacity': {
    metadata: { of: 'meta.v1.ObjectMeta' },
    nodeTopology: { of: 'meta.v1.LabelSelector' },
  },
  'storage.v1beta1.StorageClass': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
  'storage.v1beta1.VolumeAttachment': {
    metadata: { of: 'meta.v1.ObjectMeta' },
  },
};

/** `apiVersion/kind` to the definition of the kind. */
export const builtinKinds: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration':
    'admissionregistration.v1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration':
    'admissionregistration.v1.ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1/MutatingWebhookConfiguration':
    'admissionregistration.v1beta1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1/ValidatingWebhookConfiguration':
    'admissionregistration.v1beta1.ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1/CustomResourceDefinition': 'apiextensions.v1.CustomResourceDefinition',
  'apiextensions.k8s.io/v1beta1/CustomResourceDefinition': 'apiextensions.v1beta1.CustomResourceDefinition',
  'apiregistration.k8s.io/v1/APIService': 'apiregistration.v1.APIService',
  'apiregistration.k8s.io/v1beta1/APIService': 'apiregistration.v1beta1.APIService',
  'apps/v1/ControllerRevision': 'apps.v1.ControllerRevision',
  'apps/v1/DaemonSet': 'apps.v1.DaemonSet',
  'apps/v1/Deployment': 'apps.v1.Deployment',
  'apps/v1/ReplicaSet': 'apps.v1.ReplicaSet',
  'apps/v1/StatefulSet': 'apps.v1.StatefulSet',
  'authentication.k8s.io/v1/TokenRequest': 'authentication.v1.TokenRequest',
  'authentication.k8s.io/v1/TokenReview': 'authentication.v1.TokenReview',
  'authentication.k8s.io/v1beta1/TokenReview': 'authentication.v1beta1.TokenReview',
  'authorization.k8s.io/v1/LocalSubjectAccessReview': 'authorization.v1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectAccessReview': 'authorization.v1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1/SelfSubjectRulesReview': 'authorization.v1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1/SubjectAccessReview': 'authorization.v1.SubjectAccessReview',
  'authorization.k8s.io/v1beta1/LocalSubjectAccessReview': 'authorization.v1beta1.LocalSubjectAccessReview',
  'authorization.k8s.io/v1beta1/SelfSubjectAccessReview': 'authorization.v1beta1.SelfSubjectAccessReview',
  'authorization.k8s.io/v1beta1/SelfSubjectRulesReview': 'authorization.v1beta1.SelfSubjectRulesReview',
  'authorization.k8s.io/v1beta1/SubjectAccessReview': 'authorization.v1beta1.SubjectAccessReview',
  'autoscaling/v1/HorizontalPodAutoscaler': 'autoscaling.v1.HorizontalPodAutoscaler',
  'autoscaling/v1/Scale': 'autoscaling.v1.Scale',
  'autoscaling/v2beta1/HorizontalPodAutoscaler': 'autoscaling.v2beta1.HorizontalPodAutoscaler',
  'autoscaling/v2beta2/HorizontalPodAutoscaler': 'autoscaling.v2beta2.HorizontalPodAutoscaler',
  'batch/v1/CronJob': 'batch.v1.CronJob',
  'batch/v1/Job': 'batch.v1.Job',
  'batch/v1beta1/CronJob': 'batch.v1beta1.CronJob',
  'certificates.k8s.io/v1/CertificateSigningRequest': 'certificates.v1.CertificateSigningRequest',
  'certificates.k8s.io/v1beta1/CertificateSigningRequest': 'certificates.v1beta1.CertificateSigningRequest',
  'coordination.k8s.io/v1/Lease': 'coordination.v1.Lease',
  'coordination.k8s.io/v1beta1/Lease': 'coordination.v1beta1.Lease',
  'discovery.k8s.io/v1/EndpointSlice': 'discovery.v1.EndpointSlice',
  'discovery.k8s.io/v1beta1/EndpointSlice': 'discovery.v1beta1.EndpointSlice',
  'events.k8s.io/v1/Event': 'events.v1.Event',
  'events.k8s.io/v1beta1/Event': 'events.v1beta1.Event',
  'extensions/v1beta1/Ingress': 'extensions.v1beta1.Ingress',
  'flowcontrol.apiserver.k8s.io/v1beta1/FlowSchema': 'flowcontrol.v1beta1.FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1beta1/PriorityLevelConfiguration':
    'flowcontrol.v1beta1.PriorityLevelConfiguration',
  'kustomize.config.k8s.io/v1beta1/Kustomization': 'apps.v1.Kustomization',
  'networking.k8s.io/v1/Ingress': 'networking.v1.Ingress',
  'networking.k8s.io/v1/IngressClass': 'networking.v1.IngressClass',
  'networking.k8s.io/v1/NetworkPolicy': 'networking.v1.NetworkPolicy',
  'networking.k8s.io/v1beta1/Ingress': 'networking.v1beta1.Ingress',
  'networking.k8s.io/v1beta1/IngressClass': 'networking.v1beta1.IngressClass',
  'node.k8s.io/v1/RuntimeClass': 'node.v1.RuntimeClass',
  'node.k8s.io/v1beta1/RuntimeClass': 'node.v1beta1.RuntimeClass',
  'policy/v1/PodDisruptionBudget': 'policy.v1.PodDisruptionBudget',
  'policy/v1beta1/Eviction': 'policy.v1beta1.Eviction',
  'policy/v1beta1/PodDisruptionBudget': 'policy.v1beta1.PodDisruptionBudget',
  'policy/v1beta1/PodSecurityPolicy': 'policy.v1beta1.PodSecurityPolicy',
  'rbac.authorization.k8s.io/v1/ClusterRole': 'rbac.v1.ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': 'rbac.v1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1/Role': 'rbac.v1.Role',
  'rbac.authorization.k8s.io/v1/RoleBinding': 'rbac.v1.RoleBinding',
  'rbac.authorization.k8s.io/v1beta1/ClusterRole': 'rbac.v1beta1.ClusterRole',
  'rbac.authorization.k8s.io/v1beta1/ClusterRoleBinding': 'rbac.v1beta1.ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1beta1/Role': 'rbac.v1beta1.Role',
  'rbac.authorization.k8s.io/v1beta1/RoleBinding': 'rbac.v1beta1.RoleBinding',
  'scheduling.k8s.io/v1/PriorityClass': 'scheduling.v1.PriorityClass',
  'scheduling.k8s.io/v1beta1/PriorityClass': 'scheduling.v1beta1.PriorityClass',
  'storage.k8s.io/v1/CSIDriver': 'storage.v1.CSIDriver',
  'storage.k8s.io/v1/CSINode': 'storage.v1.CSINode',
  'storage.k8s.io/v1/StorageClass': 'storage.v1.StorageClass',
  'storage.k8s.io/v1/VolumeAttachment': 'storage.v1.VolumeAttachment',
  'storage.k8s.io/v1beta1/CSIDriver': 'storage.v1beta1.CSIDriver',
  'storage.k8s.io/v1beta1/CSINode': 'storage.v1beta1.CSINode',
  'storage.k8s.io/v1beta1/CSIStorageCapacity': 'storage.v1beta1.CSIStorageCapacity',
  'storage.k8s.io/v1beta1/StorageClass': 'storage.v1beta1.StorageClass',
  'storage.k8s.io/v1beta1/VolumeAttachment': 'storage.v1beta1.VolumeAttachment',
  'v1/Binding': 'core.v1.Binding',
  'v1/ComponentStatus': 'core.v1.ComponentStatus',
  'v1/ConfigMap': 'core.v1.ConfigMap',
  'v1/Endpoints': 'core.v1.Endpoints',
  'v1/Event': 'core.v1.Event',
  'v1/LimitRange': 'core.v1.LimitRange',
  'v1/Namespace': 'core.v1.Namespace',
  'v1/Node': 'core.v1.Node',
  'v1/PersistentVolume': 'core.v1.PersistentVolume',
  'v1/PersistentVolumeClaim': 'core.v1.PersistentVolumeClaim',
  'v1/Pod': 'core.v1.Pod',
  'v1/PodTemplate': 'core.v1.PodTemplate',
  'v1/ReplicationController': 'core.v1.ReplicationController',
  'v1/ResourceQuota': 'core.v1.ResourceQuota',
  'v1/Secret': 'core.v1.Secret',
  'v1/Service': 'core.v1.Service',
  'v1/ServiceAccount': 'core.v1.ServiceAccount',
};
