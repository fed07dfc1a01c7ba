/** The kinds that controllers work with, in the form that informers provide: with metadata, shared and immutable. */

import type { ControllerRevision as ControllerRevisionShape } from '@coxswain/api/apps/v1/controller-revision.ts';
import type { DaemonSet as DaemonSetShape } from '@coxswain/api/apps/v1/daemon-set.ts';
import type { Deployment as DeploymentShape } from '@coxswain/api/apps/v1/deployment.ts';
import type { ReplicaSet as ReplicaSetShape } from '@coxswain/api/apps/v1/replica-set.ts';
import type { StatefulSet as StatefulSetShape } from '@coxswain/api/apps/v1/stateful-set.ts';
import type { CronJob as CronJobShape } from '@coxswain/api/batch/v1/cron-job.ts';
import type { Job as JobShape } from '@coxswain/api/batch/v1/job.ts';
import type { Endpoints as EndpointsShape } from '@coxswain/api/core/v1/endpoints.ts';
import type { Namespace as NamespaceShape } from '@coxswain/api/core/v1/namespace.ts';
import type { Node as NodeShape } from '@coxswain/api/core/v1/node.ts';
import type { PersistentVolumeClaim as PersistentVolumeClaimShape } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume as PersistentVolumeShape } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod as PodShape } from '@coxswain/api/core/v1/pod.ts';
import type { PodTemplateSpec as PodTemplateSpecShape } from '@coxswain/api/core/v1/pod-template-spec.ts';
import type { ResourceQuota as ResourceQuotaShape } from '@coxswain/api/core/v1/resource-quota.ts';
import type { Service as ServiceShape } from '@coxswain/api/core/v1/service.ts';
import type { EndpointSlice as EndpointSliceShape } from '@coxswain/api/discovery/v1/endpoint-slice.ts';
import type { IPAddress as IPAddressShape } from '@coxswain/api/networking/v1/ip-address.ts';
import type { ServiceCIDR as ServiceCidrShape } from '@coxswain/api/networking/v1/service-cidr.ts';
import type { PodDisruptionBudget as PodDisruptionBudgetShape } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import type { ResourceClaim as ResourceClaimShape } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { ResourceClaimTemplate as ResourceClaimTemplateShape } from '@coxswain/api/resource/v1/resource-claim-template.ts';
import type { ResourceSlice as ResourceSliceShape } from '@coxswain/api/resource/v1/resource-slice.ts';
import type { CSIDriver as CsiDriverShape } from '@coxswain/api/storage/v1/csi-driver.ts';
import type { CSINode as CsiNodeShape } from '@coxswain/api/storage/v1/csi-node.ts';
import type { StorageClass as StorageClassShape } from '@coxswain/api/storage/v1/storage-class.ts';
import type { VolumeAttachment as VolumeAttachmentShape } from '@coxswain/api/storage/v1/volume-attachment.ts';
import type { VolumeAttributesClass as VolumeAttributesClassShape } from '@coxswain/api/storage/v1/volume-attributes-class.ts';
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';

type Live<T> = Omit<T, 'metadata' | 'kind' | 'apiVersion'> & KubeObject;

export type Pod = Live<PodShape>;
export type PodTemplateSpec = PodTemplateSpecShape;
export type ReplicaSet = Live<ReplicaSetShape>;
export type Deployment = Live<DeploymentShape>;
export type DaemonSet = Live<DaemonSetShape>;
export type StatefulSet = Live<StatefulSetShape>;
export type ControllerRevision = Live<ControllerRevisionShape>;
export type Job = Live<JobShape>;
export type CronJob = Live<CronJobShape>;
export type Namespace = Live<NamespaceShape>;
export type Node = Live<NodeShape>;
export type PersistentVolumeClaim = Live<PersistentVolumeClaimShape>;
export type PersistentVolume = Live<PersistentVolumeShape>;
export type StorageClass = Live<StorageClassShape>;
export type CsiDriver = Live<CsiDriverShape>;
export type CsiNode = Live<CsiNodeShape>;
export type VolumeAttachment = Live<VolumeAttachmentShape>;
export type VolumeAttributesClass = Live<VolumeAttributesClassShape>;
export type ResourceClaim = Live<ResourceClaimShape>;
export type ResourceSlice = Live<ResourceSliceShape>;
export type ResourceClaimTemplate = Live<ResourceClaimTemplateShape>;
export type ResourceQuota = Live<ResourceQuotaShape>;
export type Service = Live<ServiceShape>;
export type Endpoints = Live<EndpointsShape>;
export type EndpointSlice = Live<EndpointSliceShape>;
export type ServiceCidr = Live<ServiceCidrShape>;
export type IPAddress = Live<IPAddressShape>;
export type PodDisruptionBudget = Live<PodDisruptionBudgetShape>;

const core = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
const apps = (resource: string): GroupVersionResource => ({ group: 'apps', version: 'v1', resource });
const storage = (resource: string): GroupVersionResource => ({
  group: 'storage.k8s.io',
  version: 'v1',
  resource,
});
const batch = (resource: string): GroupVersionResource => ({ group: 'batch', version: 'v1', resource });

export const resources = {
  pods: core('pods'),
  namespaces: core('namespaces'),
  nodes: core('nodes'),
  services: core('services'),
  endpoints: core('endpoints'),
  configMaps: core('configmaps'),
  secrets: core('secrets'),
  serviceAccounts: core('serviceaccounts'),
  resourceQuotas: core('resourcequotas'),
  persistentVolumeClaims: core('persistentvolumeclaims'),
  persistentVolumes: core('persistentvolumes'),
  storageClasses: storage('storageclasses'),
  resourceClaims: { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaims' },
  resourceSlices: { group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' },
  resourceClaimTemplates: { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaimtemplates' },
  csiDrivers: storage('csidrivers'),
  csiNodes: storage('csinodes'),
  volumeAttachments: storage('volumeattachments'),
  volumeAttributesClasses: storage('volumeattributesclasses'),
  replicationControllers: core('replicationcontrollers'),
  deployments: apps('deployments'),
  replicaSets: apps('replicasets'),
  daemonSets: apps('daemonsets'),
  statefulSets: apps('statefulsets'),
  controllerRevisions: apps('controllerrevisions'),
  jobs: batch('jobs'),
  cronJobs: batch('cronjobs'),
  endpointSlices: { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' },
  serviceCidrs: { group: 'networking.k8s.io', version: 'v1', resource: 'servicecidrs' },
  ipAddresses: { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' },
  podDisruptionBudgets: { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' },
  leases: { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' },
  clusterRoles: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' },
} as const satisfies Record<string, GroupVersionResource>;
