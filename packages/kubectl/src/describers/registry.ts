/** The describers by kind, loaded on demand. */
import { withZeroValues } from '../typed.ts';
import type { Describer } from './describer.ts';

const describers: Readonly<Record<string, () => Promise<Describer>>> = {
  Pod: async () => (await import('./pod.ts')).describePod,
  'Deployment.apps': async () => (await import('./deployment.ts')).describeDeployment,
  'ReplicaSet.apps': async () => (await import('./replica-set.ts')).describeReplicaSet,
  ReplicationController: async () => (await import('./replica-set.ts')).describeReplicaSet,
  'StatefulSet.apps': async () => (await import('./stateful-set.ts')).describeStatefulSet,
  'DaemonSet.apps': async () => (await import('./daemon-set.ts')).describeDaemonSet,
  'Job.batch': async () => (await import('./job.ts')).describeJob,
  'CronJob.batch': async () => (await import('./cron-job.ts')).describeCronJob,
  Service: async () => (await import('./service.ts')).describeService,
  Node: async () => (await import('./node.ts')).describeNode,
  ConfigMap: async () => (await import('./config-map.ts')).describeConfigMap,
  Secret: async () => (await import('./secret.ts')).describeSecret,
  ServiceAccount: async () => (await import('./service-account.ts')).describeServiceAccount,
  LimitRange: async () => (await import('./limit-range.ts')).describeLimitRange,
  ResourceQuota: async () => (await import('./resource-quota.ts')).describeResourceQuota,
  PersistentVolumeClaim: async () =>
    (await import('./persistent-volume-claim.ts')).describePersistentVolumeClaim,
  PersistentVolume: async () => (await import('./persistent-volume.ts')).describePersistentVolume,
  Endpoints: async () => (await import('./endpoints.ts')).describeEndpoints,
  'EndpointSlice.discovery.k8s.io': async () => (await import('./endpoint-slice.ts')).describeEndpointSlice,
  'HorizontalPodAutoscaler.autoscaling': async () =>
    (await import('./horizontal-pod-autoscaler.ts')).describeHorizontalPodAutoscaler,
  'Ingress.networking.k8s.io': async () => (await import('./ingress.ts')).describeIngress,
  'NetworkPolicy.networking.k8s.io': async () => (await import('./network-policy.ts')).describeNetworkPolicy,
  'ServiceCIDR.networking.k8s.io': async () => (await import('./service-cidr.ts')).describeServiceCidr,
  'IPAddress.networking.k8s.io': async () => (await import('./ip-address.ts')).describeIpAddress,
  'CertificateSigningRequest.certificates.k8s.io': async () =>
    (await import('./certificate-signing-request.ts')).describeCertificateSigningRequest,
  'CSINode.storage.k8s.io': async () => (await import('./csi-node.ts')).describeCsiNode,
  'VolumeAttributesClass.storage.k8s.io': async () =>
    (await import('./volume-attributes-class.ts')).describeVolumeAttributesClass,
  'PriorityClass.scheduling.k8s.io': async () => (await import('./priority-class.ts')).describePriorityClass,
  'StorageClass.storage.k8s.io': async () => (await import('./storage-class.ts')).describeStorageClass,
  'PodDisruptionBudget.policy': async () =>
    (await import('./pod-disruption-budget.ts')).describePodDisruptionBudget,
  'IngressClass.networking.k8s.io': async () => (await import('./ingress-class.ts')).describeIngressClass,
  'Role.rbac.authorization.k8s.io': async () => (await import('./role.ts')).describeRole,
  'ClusterRole.rbac.authorization.k8s.io': async () => (await import('./role.ts')).describeRole,
  'RoleBinding.rbac.authorization.k8s.io': async () =>
    (await import('./role-binding.ts')).describeRoleBinding,
  'ClusterRoleBinding.rbac.authorization.k8s.io': async () =>
    (await import('./role-binding.ts')).describeRoleBinding,
  Namespace: async () => (await import('./namespace.ts')).describeNamespace,
};

export async function describerFor(group: string, kind: string): Promise<Describer> {
  const load = describers[group === '' ? kind : `${kind}.${group}`];
  if (load === undefined) return (await import('./generic.ts')).describeGeneric;
  const describe = await load();
  return async (object, context) => describe(await withZeroValues(object), context);
}
