/** The kinds that controllers work with, in the form that informers provide: with metadata, shared and immutable. */

import type * as apps from '@coxswain/api/apps/v1/index.ts';
import type * as batch from '@coxswain/api/batch/v1/index.ts';
import type * as core from '@coxswain/api/core/v1/index.ts';
import type * as discovery from '@coxswain/api/discovery/v1/index.ts';
import type * as networking from '@coxswain/api/networking/v1/index.ts';
import type * as policy from '@coxswain/api/policy/v1/index.ts';
import type * as resource from '@coxswain/api/resource/v1/index.ts';
import type * as storage from '@coxswain/api/storage/v1/index.ts';
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';

type Live<T> = Omit<T, 'metadata' | 'kind' | 'apiVersion'> & KubeObject;

export type Pod = Live<core.Pod>;
export type PodTemplateSpec = core.PodTemplateSpec;
export type ReplicaSet = Live<apps.ReplicaSet>;
export type Deployment = Live<apps.Deployment>;
export type DaemonSet = Live<apps.DaemonSet>;
export type StatefulSet = Live<apps.StatefulSet>;
export type ControllerRevision = Live<apps.ControllerRevision>;
export type Job = Live<batch.Job>;
export type CronJob = Live<batch.CronJob>;
export type Namespace = Live<core.Namespace>;
export type Node = Live<core.Node>;
export type PersistentVolumeClaim = Live<core.PersistentVolumeClaim>;
export type PersistentVolume = Live<core.PersistentVolume>;
export type StorageClass = Live<storage.StorageClass>;
export type CsiDriver = Live<storage.CSIDriver>;
export type CsiNode = Live<storage.CSINode>;
export type VolumeAttachment = Live<storage.VolumeAttachment>;
export type VolumeAttributesClass = Live<storage.VolumeAttributesClass>;
export type ResourceClaim = Live<resource.ResourceClaim>;
export type ResourceSlice = Live<resource.ResourceSlice>;
export type ResourceClaimTemplate = Live<resource.ResourceClaimTemplate>;
export type ResourceQuota = Live<core.ResourceQuota>;
export type Service = Live<core.Service>;
export type Endpoints = Live<core.Endpoints>;
export type EndpointSlice = Live<discovery.EndpointSlice>;
export type ServiceCidr = Live<networking.ServiceCIDR>;
export type IPAddress = Live<networking.IPAddress>;
export type PodDisruptionBudget = Live<policy.PodDisruptionBudget>;

const v1 = (group: string, resource: string): GroupVersionResource => ({ group, version: 'v1', resource });

export const resources = {
  pods: v1('', 'pods'),
  namespaces: v1('', 'namespaces'),
  nodes: v1('', 'nodes'),
  services: v1('', 'services'),
  endpoints: v1('', 'endpoints'),
  configMaps: v1('', 'configmaps'),
  secrets: v1('', 'secrets'),
  serviceAccounts: v1('', 'serviceaccounts'),
  resourceQuotas: v1('', 'resourcequotas'),
  persistentVolumeClaims: v1('', 'persistentvolumeclaims'),
  persistentVolumes: v1('', 'persistentvolumes'),
  storageClasses: v1('storage.k8s.io', 'storageclasses'),
  resourceClaims: v1('resource.k8s.io', 'resourceclaims'),
  resourceSlices: v1('resource.k8s.io', 'resourceslices'),
  resourceClaimTemplates: v1('resource.k8s.io', 'resourceclaimtemplates'),
  csiDrivers: v1('storage.k8s.io', 'csidrivers'),
  csiNodes: v1('storage.k8s.io', 'csinodes'),
  volumeAttachments: v1('storage.k8s.io', 'volumeattachments'),
  volumeAttributesClasses: v1('storage.k8s.io', 'volumeattributesclasses'),
  replicationControllers: v1('', 'replicationcontrollers'),
  deployments: v1('apps', 'deployments'),
  replicaSets: v1('apps', 'replicasets'),
  daemonSets: v1('apps', 'daemonsets'),
  statefulSets: v1('apps', 'statefulsets'),
  controllerRevisions: v1('apps', 'controllerrevisions'),
  jobs: v1('batch', 'jobs'),
  cronJobs: v1('batch', 'cronjobs'),
  endpointSlices: v1('discovery.k8s.io', 'endpointslices'),
  serviceCidrs: v1('networking.k8s.io', 'servicecidrs'),
  ipAddresses: v1('networking.k8s.io', 'ipaddresses'),
  podDisruptionBudgets: v1('policy', 'poddisruptionbudgets'),
  leases: v1('coordination.k8s.io', 'leases'),
  clusterRoles: v1('rbac.authorization.k8s.io', 'clusterroles'),
};
