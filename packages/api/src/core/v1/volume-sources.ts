import {
  always,
  atomicList,
  bool,
  embedded,
  int32,
  map,
  nullable,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { DownwardAPIVolumeFile } from './downward-api-volume-file.ts';
import { KeyToPath } from './key-to-path.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';
import { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.ts';
import { VolumeProjection } from './volume-projection.ts';

export const AWSElasticBlockStoreVolumeSource = struct('core/v1.AWSElasticBlockStoreVolumeSource', {
  volumeID: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  partition: optional(3, int32),
  readOnly: optional(4, bool),
});
export interface AWSElasticBlockStoreVolumeSource extends Static<typeof AWSElasticBlockStoreVolumeSource> {}

export const AzureDiskVolumeSource = struct('core/v1.AzureDiskVolumeSource', {
  diskName: always(1, string, { required: true }),
  diskURI: always(2, string, { required: true, go: 'DataDiskURI' }),
  cachingMode: pointer(3, named('v1.AzureDataDiskCachingMode', oneOf(['None', 'ReadOnly', 'ReadWrite'])), {
    default: 'ReadWrite',
    defaultPublished: true,
  }),
  fsType: pointer(4, string, { default: 'ext4', defaultPublished: true, go: 'FSType' }),
  readOnly: pointer(5, bool, { default: false, defaultPublished: true }),
  kind: pointer(6, named('v1.AzureDataDiskKind', oneOf(['Shared', 'Dedicated', 'Managed'])), {
    default: 'Shared',
    defaultPublished: true,
  }),
});
export interface AzureDiskVolumeSource extends Static<typeof AzureDiskVolumeSource> {}

export const AzureFilePersistentVolumeSource = struct('core/v1.AzureFilePersistentVolumeSource', {
  secretName: always(1, string, { required: true }),
  shareName: always(2, string, { required: true }),
  readOnly: optional(3, bool),
  secretNamespace: nullable(4, string),
});
export interface AzureFilePersistentVolumeSource extends Static<typeof AzureFilePersistentVolumeSource> {}

export const AzureFileVolumeSource = struct('core/v1.AzureFileVolumeSource', {
  secretName: always(1, string, { required: true }),
  shareName: always(2, string, { required: true }),
  readOnly: optional(3, bool),
});
export interface AzureFileVolumeSource extends Static<typeof AzureFileVolumeSource> {}

export const SecretReference = struct(
  'core/v1.SecretReference',
  {
    name: optional(1, string),
    namespace: optional(2, string),
  },
  { atomic: true },
);
export interface SecretReference extends Static<typeof SecretReference> {}

export const CSIPersistentVolumeSource = struct('core/v1.CSIPersistentVolumeSource', {
  driver: always(1, string, { required: true }),
  volumeHandle: always(2, string, { required: true }),
  readOnly: optional(3, bool),
  fsType: optional(4, string, { go: 'FSType' }),
  volumeAttributes: optional(5, map(string)),
  controllerPublishSecretRef: pointer(6, SecretReference),
  nodeStageSecretRef: pointer(7, SecretReference),
  nodePublishSecretRef: pointer(8, SecretReference),
  controllerExpandSecretRef: pointer(9, SecretReference),
  nodeExpandSecretRef: pointer(10, SecretReference),
});
export interface CSIPersistentVolumeSource extends Static<typeof CSIPersistentVolumeSource> {}

export const CSIVolumeSource = struct('core/v1.CSIVolumeSource', {
  driver: always(1, string, { required: true }),
  readOnly: pointer(2, bool),
  fsType: pointer(3, string, { go: 'FSType' }),
  volumeAttributes: optional(4, map(string)),
  nodePublishSecretRef: pointer(5, LocalObjectReference),
});
export interface CSIVolumeSource extends Static<typeof CSIVolumeSource> {}

export const CephFSPersistentVolumeSource = struct('core/v1.CephFSPersistentVolumeSource', {
  monitors: always(1, atomicList(string), { required: true }),
  path: optional(2, string),
  user: optional(3, string),
  secretFile: optional(4, string),
  secretRef: pointer(5, SecretReference),
  readOnly: optional(6, bool),
});
export interface CephFSPersistentVolumeSource extends Static<typeof CephFSPersistentVolumeSource> {}

export const CephFSVolumeSource = struct('core/v1.CephFSVolumeSource', {
  monitors: always(1, atomicList(string), { required: true }),
  path: optional(2, string),
  user: optional(3, string),
  secretFile: optional(4, string),
  secretRef: pointer(5, LocalObjectReference),
  readOnly: optional(6, bool),
});
export interface CephFSVolumeSource extends Static<typeof CephFSVolumeSource> {}

export const CinderPersistentVolumeSource = struct('core/v1.CinderPersistentVolumeSource', {
  volumeID: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  readOnly: optional(3, bool),
  secretRef: pointer(4, SecretReference),
});
export interface CinderPersistentVolumeSource extends Static<typeof CinderPersistentVolumeSource> {}

export const CinderVolumeSource = struct('core/v1.CinderVolumeSource', {
  volumeID: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  readOnly: optional(3, bool),
  secretRef: pointer(4, LocalObjectReference),
});
export interface CinderVolumeSource extends Static<typeof CinderVolumeSource> {}

export const ConfigMapVolumeSource = struct('core/v1.ConfigMapVolumeSource', {
  localObjectReference: embedded(1, LocalObjectReference),
  items: optional(2, atomicList(KeyToPath)),
  defaultMode: pointer(3, int32, { default: 420 }),
  optional: pointer(4, bool),
});
export interface ConfigMapVolumeSource extends Static<typeof ConfigMapVolumeSource> {}

export const DownwardAPIVolumeSource = struct('core/v1.DownwardAPIVolumeSource', {
  items: optional(1, atomicList(DownwardAPIVolumeFile)),
  defaultMode: pointer(2, int32, { default: 420 }),
});
export interface DownwardAPIVolumeSource extends Static<typeof DownwardAPIVolumeSource> {}

export const EmptyDirVolumeSource = struct('core/v1.EmptyDirVolumeSource', {
  medium: optional(1, named('v1.StorageMedium', string)),
  sizeLimit: pointer(2, quantity),
});
export interface EmptyDirVolumeSource extends Static<typeof EmptyDirVolumeSource> {}

export const PersistentVolumeClaimTemplate = struct('core/v1.PersistentVolumeClaimTemplate', {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  spec: always(2, PersistentVolumeClaimSpec, { required: true }),
});
export interface PersistentVolumeClaimTemplate extends Static<typeof PersistentVolumeClaimTemplate> {}

export const EphemeralVolumeSource = struct('core/v1.EphemeralVolumeSource', {
  volumeClaimTemplate: pointer(1, PersistentVolumeClaimTemplate),
});
export interface EphemeralVolumeSource extends Static<typeof EphemeralVolumeSource> {}

export const FCVolumeSource = struct('core/v1.FCVolumeSource', {
  targetWWNs: optional(1, atomicList(string)),
  lun: pointer(2, int32),
  fsType: optional(3, string, { go: 'FSType' }),
  readOnly: optional(4, bool),
  wwids: optional(5, atomicList(string), { go: 'WWIDs' }),
});
export interface FCVolumeSource extends Static<typeof FCVolumeSource> {}

export const FlexPersistentVolumeSource = struct('core/v1.FlexPersistentVolumeSource', {
  driver: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  secretRef: pointer(3, SecretReference),
  readOnly: optional(4, bool),
  options: optional(5, map(string)),
});
export interface FlexPersistentVolumeSource extends Static<typeof FlexPersistentVolumeSource> {}

export const FlexVolumeSource = struct('core/v1.FlexVolumeSource', {
  driver: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  secretRef: pointer(3, LocalObjectReference),
  readOnly: optional(4, bool),
  options: optional(5, map(string)),
});
export interface FlexVolumeSource extends Static<typeof FlexVolumeSource> {}

export const FlockerVolumeSource = struct('core/v1.FlockerVolumeSource', {
  datasetName: optional(1, string),
  datasetUUID: optional(2, string),
});
export interface FlockerVolumeSource extends Static<typeof FlockerVolumeSource> {}

export const GCEPersistentDiskVolumeSource = struct('core/v1.GCEPersistentDiskVolumeSource', {
  pdName: always(1, string, { required: true, go: 'PDName' }),
  fsType: optional(2, string, { go: 'FSType' }),
  partition: optional(3, int32),
  readOnly: optional(4, bool),
});
export interface GCEPersistentDiskVolumeSource extends Static<typeof GCEPersistentDiskVolumeSource> {}

export const GitRepoVolumeSource = struct('core/v1.GitRepoVolumeSource', {
  repository: always(1, string, { required: true }),
  revision: optional(2, string),
  directory: optional(3, string),
});
export interface GitRepoVolumeSource extends Static<typeof GitRepoVolumeSource> {}

export const GlusterfsPersistentVolumeSource = struct('core/v1.GlusterfsPersistentVolumeSource', {
  endpoints: always(1, string, { required: true, go: 'EndpointsName' }),
  path: always(2, string, { required: true }),
  readOnly: optional(3, bool),
  endpointsNamespace: pointer(4, string),
});
export interface GlusterfsPersistentVolumeSource extends Static<typeof GlusterfsPersistentVolumeSource> {}

export const GlusterfsVolumeSource = struct('core/v1.GlusterfsVolumeSource', {
  endpoints: always(1, string, { required: true, go: 'EndpointsName' }),
  path: always(2, string, { required: true }),
  readOnly: optional(3, bool),
});
export interface GlusterfsVolumeSource extends Static<typeof GlusterfsVolumeSource> {}

export const HostPathVolumeSource = struct('core/v1.HostPathVolumeSource', {
  path: always(1, string, { required: true }),
  type: pointer(
    2,
    named(
      'v1.HostPathType',
      oneOf([
        '',
        'DirectoryOrCreate',
        'Directory',
        'FileOrCreate',
        'File',
        'Socket',
        'CharDevice',
        'BlockDevice',
      ]),
    ),
    { default: '' },
  ),
});
export interface HostPathVolumeSource extends Static<typeof HostPathVolumeSource> {}

export const ISCSIPersistentVolumeSource = struct('core/v1.ISCSIPersistentVolumeSource', {
  targetPortal: always(1, string, { required: true }),
  iqn: always(2, string, { required: true, go: 'IQN' }),
  lun: always(3, int32, { required: true }),
  iscsiInterface: optional(4, string, { default: 'default', defaultPublished: true, go: 'ISCSIInterface' }),
  fsType: optional(5, string, { go: 'FSType' }),
  readOnly: optional(6, bool),
  portals: optional(7, atomicList(string)),
  chapAuthDiscovery: optional(8, bool, { go: 'DiscoveryCHAPAuth' }),
  chapAuthSession: optional(11, bool, { go: 'SessionCHAPAuth' }),
  secretRef: pointer(10, SecretReference),
  initiatorName: pointer(12, string),
});
export interface ISCSIPersistentVolumeSource extends Static<typeof ISCSIPersistentVolumeSource> {}

export const ISCSIVolumeSource = struct('core/v1.ISCSIVolumeSource', {
  targetPortal: always(1, string, { required: true }),
  iqn: always(2, string, { required: true, go: 'IQN' }),
  lun: always(3, int32, { required: true }),
  iscsiInterface: optional(4, string, { default: 'default', defaultPublished: true, go: 'ISCSIInterface' }),
  fsType: optional(5, string, { go: 'FSType' }),
  readOnly: optional(6, bool),
  portals: optional(7, atomicList(string)),
  chapAuthDiscovery: optional(8, bool, { go: 'DiscoveryCHAPAuth' }),
  chapAuthSession: optional(11, bool, { go: 'SessionCHAPAuth' }),
  secretRef: pointer(10, LocalObjectReference),
  initiatorName: pointer(12, string),
});
export interface ISCSIVolumeSource extends Static<typeof ISCSIVolumeSource> {}

export const ImageVolumeSource = struct('core/v1.ImageVolumeSource', {
  reference: optional(1, string),
  pullPolicy: optional(2, named('v1.PullPolicy', oneOf(['Always', 'Never', 'IfNotPresent']))),
});
export interface ImageVolumeSource extends Static<typeof ImageVolumeSource> {}

export const LocalVolumeSource = struct('core/v1.LocalVolumeSource', {
  path: always(1, string, { required: true }),
  fsType: pointer(2, string, { go: 'FSType' }),
});
export interface LocalVolumeSource extends Static<typeof LocalVolumeSource> {}

export const NFSVolumeSource = struct('core/v1.NFSVolumeSource', {
  server: always(1, string, { required: true }),
  path: always(2, string, { required: true }),
  readOnly: optional(3, bool),
});
export interface NFSVolumeSource extends Static<typeof NFSVolumeSource> {}

export const PersistentVolumeClaimVolumeSource = struct('core/v1.PersistentVolumeClaimVolumeSource', {
  claimName: always(1, string, { required: true }),
  readOnly: optional(2, bool),
});
export interface PersistentVolumeClaimVolumeSource extends Static<typeof PersistentVolumeClaimVolumeSource> {}

export const RBDPersistentVolumeSource = struct('core/v1.RBDPersistentVolumeSource', {
  monitors: always(1, atomicList(string), { required: true, go: 'CephMonitors' }),
  image: always(2, string, { required: true, go: 'RBDImage' }),
  fsType: optional(3, string, { go: 'FSType' }),
  pool: optional(4, string, { default: 'rbd', defaultPublished: true, go: 'RBDPool' }),
  user: optional(5, string, { default: 'admin', defaultPublished: true, go: 'RadosUser' }),
  keyring: optional(6, string, { default: '/etc/ceph/keyring', defaultPublished: true }),
  secretRef: pointer(7, SecretReference),
  readOnly: optional(8, bool),
});
export interface RBDPersistentVolumeSource extends Static<typeof RBDPersistentVolumeSource> {}

export const VsphereVirtualDiskVolumeSource = struct('core/v1.VsphereVirtualDiskVolumeSource', {
  volumePath: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  storagePolicyName: optional(3, string),
  storagePolicyID: optional(4, string),
});
export interface VsphereVirtualDiskVolumeSource extends Static<typeof VsphereVirtualDiskVolumeSource> {}

export const QuobyteVolumeSource = struct('core/v1.QuobyteVolumeSource', {
  registry: always(1, string, { required: true }),
  volume: always(2, string, { required: true }),
  readOnly: optional(3, bool),
  user: optional(4, string),
  group: optional(5, string),
  tenant: optional(6, string),
});
export interface QuobyteVolumeSource extends Static<typeof QuobyteVolumeSource> {}

export const PhotonPersistentDiskVolumeSource = struct('core/v1.PhotonPersistentDiskVolumeSource', {
  pdID: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
});
export interface PhotonPersistentDiskVolumeSource extends Static<typeof PhotonPersistentDiskVolumeSource> {}

export const PortworxVolumeSource = struct('core/v1.PortworxVolumeSource', {
  volumeID: always(1, string, { required: true }),
  fsType: optional(2, string, { go: 'FSType' }),
  readOnly: optional(3, bool),
});
export interface PortworxVolumeSource extends Static<typeof PortworxVolumeSource> {}

export const ScaleIOPersistentVolumeSource = struct('core/v1.ScaleIOPersistentVolumeSource', {
  gateway: always(1, string, { required: true }),
  system: always(2, string, { required: true }),
  secretRef: nullable(3, SecretReference, { required: true }),
  sslEnabled: optional(4, bool, { go: 'SSLEnabled' }),
  protectionDomain: optional(5, string),
  storagePool: optional(6, string),
  storageMode: optional(7, string, { default: 'ThinProvisioned', defaultPublished: true }),
  volumeName: optional(8, string),
  fsType: optional(9, string, { default: 'xfs', defaultPublished: true, go: 'FSType' }),
  readOnly: optional(10, bool),
});
export interface ScaleIOPersistentVolumeSource extends Static<typeof ScaleIOPersistentVolumeSource> {}

export const StorageOSPersistentVolumeSource = struct('core/v1.StorageOSPersistentVolumeSource', {
  volumeName: optional(1, string),
  volumeNamespace: optional(2, string),
  fsType: optional(3, string, { go: 'FSType' }),
  readOnly: optional(4, bool),
  secretRef: pointer(5, ObjectReference),
});
export interface StorageOSPersistentVolumeSource extends Static<typeof StorageOSPersistentVolumeSource> {}

export const PersistentVolumeSource = struct('core/v1.PersistentVolumeSource', {
  gcePersistentDisk: pointer(1, GCEPersistentDiskVolumeSource, { go: 'GCEPersistentDisk' }),
  awsElasticBlockStore: pointer(2, AWSElasticBlockStoreVolumeSource, { go: 'AWSElasticBlockStore' }),
  hostPath: pointer(3, HostPathVolumeSource),
  glusterfs: pointer(4, GlusterfsPersistentVolumeSource),
  nfs: pointer(5, NFSVolumeSource, { go: 'NFS' }),
  rbd: pointer(6, RBDPersistentVolumeSource, { go: 'RBD' }),
  iscsi: pointer(7, ISCSIPersistentVolumeSource, { go: 'ISCSI' }),
  cinder: pointer(8, CinderPersistentVolumeSource),
  cephfs: pointer(9, CephFSPersistentVolumeSource, { go: 'CephFS' }),
  fc: pointer(10, FCVolumeSource, { go: 'FC' }),
  flocker: pointer(11, FlockerVolumeSource),
  flexVolume: pointer(12, FlexPersistentVolumeSource),
  azureFile: pointer(13, AzureFilePersistentVolumeSource),
  vsphereVolume: pointer(14, VsphereVirtualDiskVolumeSource),
  quobyte: pointer(15, QuobyteVolumeSource),
  azureDisk: pointer(16, AzureDiskVolumeSource),
  photonPersistentDisk: pointer(17, PhotonPersistentDiskVolumeSource),
  portworxVolume: pointer(18, PortworxVolumeSource),
  scaleIO: pointer(19, ScaleIOPersistentVolumeSource),
  local: pointer(20, LocalVolumeSource),
  storageos: pointer(21, StorageOSPersistentVolumeSource, { go: 'StorageOS' }),
  csi: pointer(22, CSIPersistentVolumeSource, { go: 'CSI' }),
});
export interface PersistentVolumeSource extends Static<typeof PersistentVolumeSource> {}

export const ProjectedVolumeSource = struct('core/v1.ProjectedVolumeSource', {
  sources: always(1, atomicList(VolumeProjection)),
  defaultMode: pointer(2, int32, { default: 420 }),
});
export interface ProjectedVolumeSource extends Static<typeof ProjectedVolumeSource> {}

export const RBDVolumeSource = struct('core/v1.RBDVolumeSource', {
  monitors: always(1, atomicList(string), { required: true, go: 'CephMonitors' }),
  image: always(2, string, { required: true, go: 'RBDImage' }),
  fsType: optional(3, string, { go: 'FSType' }),
  pool: optional(4, string, { default: 'rbd', defaultPublished: true, go: 'RBDPool' }),
  user: optional(5, string, { default: 'admin', defaultPublished: true, go: 'RadosUser' }),
  keyring: optional(6, string, { default: '/etc/ceph/keyring', defaultPublished: true }),
  secretRef: pointer(7, LocalObjectReference),
  readOnly: optional(8, bool),
});
export interface RBDVolumeSource extends Static<typeof RBDVolumeSource> {}

export const ScaleIOVolumeSource = struct('core/v1.ScaleIOVolumeSource', {
  gateway: always(1, string, { required: true }),
  system: always(2, string, { required: true }),
  secretRef: nullable(3, LocalObjectReference, { required: true }),
  sslEnabled: optional(4, bool, { go: 'SSLEnabled' }),
  protectionDomain: optional(5, string),
  storagePool: optional(6, string),
  storageMode: optional(7, string, { default: 'ThinProvisioned', defaultPublished: true }),
  volumeName: optional(8, string),
  fsType: optional(9, string, { default: 'xfs', defaultPublished: true, go: 'FSType' }),
  readOnly: optional(10, bool),
});
export interface ScaleIOVolumeSource extends Static<typeof ScaleIOVolumeSource> {}

export const SecretVolumeSource = struct('core/v1.SecretVolumeSource', {
  secretName: optional(1, string),
  items: optional(2, atomicList(KeyToPath)),
  defaultMode: pointer(3, int32, { default: 420 }),
  optional: pointer(4, bool),
});
export interface SecretVolumeSource extends Static<typeof SecretVolumeSource> {}

export const StorageOSVolumeSource = struct('core/v1.StorageOSVolumeSource', {
  volumeName: optional(1, string),
  volumeNamespace: optional(2, string),
  fsType: optional(3, string, { go: 'FSType' }),
  readOnly: optional(4, bool),
  secretRef: pointer(5, LocalObjectReference),
});
export interface StorageOSVolumeSource extends Static<typeof StorageOSVolumeSource> {}

export const VolumeSource = struct('core/v1.VolumeSource', {
  hostPath: pointer(1, HostPathVolumeSource),
  emptyDir: pointer(2, EmptyDirVolumeSource),
  gcePersistentDisk: pointer(3, GCEPersistentDiskVolumeSource, { go: 'GCEPersistentDisk' }),
  awsElasticBlockStore: pointer(4, AWSElasticBlockStoreVolumeSource, { go: 'AWSElasticBlockStore' }),
  gitRepo: pointer(5, GitRepoVolumeSource),
  secret: pointer(6, SecretVolumeSource),
  nfs: pointer(7, NFSVolumeSource, { go: 'NFS' }),
  iscsi: pointer(8, ISCSIVolumeSource, { go: 'ISCSI' }),
  glusterfs: pointer(9, GlusterfsVolumeSource),
  persistentVolumeClaim: pointer(10, PersistentVolumeClaimVolumeSource),
  rbd: pointer(11, RBDVolumeSource, { go: 'RBD' }),
  flexVolume: pointer(12, FlexVolumeSource),
  cinder: pointer(13, CinderVolumeSource),
  cephfs: pointer(14, CephFSVolumeSource, { go: 'CephFS' }),
  flocker: pointer(15, FlockerVolumeSource),
  downwardAPI: pointer(16, DownwardAPIVolumeSource),
  fc: pointer(17, FCVolumeSource, { go: 'FC' }),
  azureFile: pointer(18, AzureFileVolumeSource),
  configMap: pointer(19, ConfigMapVolumeSource),
  vsphereVolume: pointer(20, VsphereVirtualDiskVolumeSource),
  quobyte: pointer(21, QuobyteVolumeSource),
  azureDisk: pointer(22, AzureDiskVolumeSource),
  photonPersistentDisk: pointer(23, PhotonPersistentDiskVolumeSource),
  projected: pointer(26, ProjectedVolumeSource),
  portworxVolume: pointer(24, PortworxVolumeSource),
  scaleIO: pointer(25, ScaleIOVolumeSource),
  storageos: pointer(27, StorageOSVolumeSource, { go: 'StorageOS' }),
  csi: pointer(28, CSIVolumeSource, { go: 'CSI' }),
  ephemeral: pointer(29, EphemeralVolumeSource),
  image: pointer(30, ImageVolumeSource),
});
export interface VolumeSource extends Static<typeof VolumeSource> {}
