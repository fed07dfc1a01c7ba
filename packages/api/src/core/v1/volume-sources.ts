import * as t from '@coxswain/schema';
import { DownwardAPIVolumeFile } from './downward-api-volume-file.ts';
import { KeyToPath } from './key-to-path.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';
import { PersistentVolumeClaimSpec } from './persistent-volume-claim-spec.ts';
import { VolumeProjection } from './volume-projection.ts';

export const AWSElasticBlockStoreVolumeSource = t.struct('core/v1.AWSElasticBlockStoreVolumeSource', {
  volumeID: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  partition: t.optional(3, t.int32),
  readOnly: t.optional(4, t.bool),
});
export interface AWSElasticBlockStoreVolumeSource extends t.Static<typeof AWSElasticBlockStoreVolumeSource> {}

export const AzureDiskVolumeSource = t.struct('core/v1.AzureDiskVolumeSource', {
  diskName: t.always(1, t.string, { required: true }),
  diskURI: t.always(2, t.string, { required: true, go: 'DataDiskURI' }),
  cachingMode: t.pointer(
    3,
    t.named('v1.AzureDataDiskCachingMode', t.oneOf(['None', 'ReadOnly', 'ReadWrite'])),
    {
      default: 'ReadWrite',
      defaultPublished: true,
    },
  ),
  fsType: t.pointer(4, t.string, { default: 'ext4', defaultPublished: true, go: 'FSType' }),
  readOnly: t.pointer(5, t.bool, { default: false, defaultPublished: true }),
  kind: t.pointer(6, t.named('v1.AzureDataDiskKind', t.oneOf(['Shared', 'Dedicated', 'Managed'])), {
    default: 'Shared',
    defaultPublished: true,
  }),
});
export interface AzureDiskVolumeSource extends t.Static<typeof AzureDiskVolumeSource> {}

export const AzureFilePersistentVolumeSource = t.struct('core/v1.AzureFilePersistentVolumeSource', {
  secretName: t.always(1, t.string, { required: true }),
  shareName: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
  secretNamespace: t.nullable(4, t.string),
});
export interface AzureFilePersistentVolumeSource extends t.Static<typeof AzureFilePersistentVolumeSource> {}

export const AzureFileVolumeSource = t.struct('core/v1.AzureFileVolumeSource', {
  secretName: t.always(1, t.string, { required: true }),
  shareName: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
});
export interface AzureFileVolumeSource extends t.Static<typeof AzureFileVolumeSource> {}

export const SecretReference = t.struct(
  'core/v1.SecretReference',
  {
    name: t.optional(1, t.string),
    namespace: t.optional(2, t.string),
  },
  { atomic: true },
);
export interface SecretReference extends t.Static<typeof SecretReference> {}

export const CSIPersistentVolumeSource = t.struct('core/v1.CSIPersistentVolumeSource', {
  driver: t.always(1, t.string, { required: true }),
  volumeHandle: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
  fsType: t.optional(4, t.string, { go: 'FSType' }),
  volumeAttributes: t.optional(5, t.map(t.string)),
  controllerPublishSecretRef: t.pointer(6, SecretReference),
  nodeStageSecretRef: t.pointer(7, SecretReference),
  nodePublishSecretRef: t.pointer(8, SecretReference),
  controllerExpandSecretRef: t.pointer(9, SecretReference),
  nodeExpandSecretRef: t.pointer(10, SecretReference),
});
export interface CSIPersistentVolumeSource extends t.Static<typeof CSIPersistentVolumeSource> {}

export const CSIVolumeSource = t.struct('core/v1.CSIVolumeSource', {
  driver: t.always(1, t.string, { required: true }),
  readOnly: t.pointer(2, t.bool),
  fsType: t.pointer(3, t.string, { go: 'FSType' }),
  volumeAttributes: t.optional(4, t.map(t.string)),
  nodePublishSecretRef: t.pointer(5, LocalObjectReference),
});
export interface CSIVolumeSource extends t.Static<typeof CSIVolumeSource> {}

export const CephFSPersistentVolumeSource = t.struct('core/v1.CephFSPersistentVolumeSource', {
  monitors: t.always(1, t.atomicList(t.string), { required: true }),
  path: t.optional(2, t.string),
  user: t.optional(3, t.string),
  secretFile: t.optional(4, t.string),
  secretRef: t.pointer(5, SecretReference),
  readOnly: t.optional(6, t.bool),
});
export interface CephFSPersistentVolumeSource extends t.Static<typeof CephFSPersistentVolumeSource> {}

export const CephFSVolumeSource = t.struct('core/v1.CephFSVolumeSource', {
  ...CephFSPersistentVolumeSource.fields,
  secretRef: t.pointer(5, LocalObjectReference),
});
export interface CephFSVolumeSource extends t.Static<typeof CephFSVolumeSource> {}

export const CinderPersistentVolumeSource = t.struct('core/v1.CinderPersistentVolumeSource', {
  volumeID: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  readOnly: t.optional(3, t.bool),
  secretRef: t.pointer(4, SecretReference),
});
export interface CinderPersistentVolumeSource extends t.Static<typeof CinderPersistentVolumeSource> {}

export const CinderVolumeSource = t.struct('core/v1.CinderVolumeSource', {
  volumeID: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  readOnly: t.optional(3, t.bool),
  secretRef: t.pointer(4, LocalObjectReference),
});
export interface CinderVolumeSource extends t.Static<typeof CinderVolumeSource> {}

export const ConfigMapVolumeSource = t.struct('core/v1.ConfigMapVolumeSource', {
  localObjectReference: t.embedded(1, LocalObjectReference),
  items: t.optional(2, t.atomicList(KeyToPath)),
  defaultMode: t.pointer(3, t.int32, { default: 420 }),
  optional: t.pointer(4, t.bool),
});
export interface ConfigMapVolumeSource extends t.Static<typeof ConfigMapVolumeSource> {}

export const DownwardAPIVolumeSource = t.struct('core/v1.DownwardAPIVolumeSource', {
  items: t.optional(1, t.atomicList(DownwardAPIVolumeFile)),
  defaultMode: t.pointer(2, t.int32, { default: 420 }),
});
export interface DownwardAPIVolumeSource extends t.Static<typeof DownwardAPIVolumeSource> {}

export const EmptyDirVolumeSource = t.struct('core/v1.EmptyDirVolumeSource', {
  medium: t.optional(1, t.named('v1.StorageMedium', t.string)),
  sizeLimit: t.pointer(2, t.quantity),
});
export interface EmptyDirVolumeSource extends t.Static<typeof EmptyDirVolumeSource> {}

export const PersistentVolumeClaimTemplate = t.struct('core/v1.PersistentVolumeClaimTemplate', {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.always(2, PersistentVolumeClaimSpec, { required: true }),
});
export interface PersistentVolumeClaimTemplate extends t.Static<typeof PersistentVolumeClaimTemplate> {}

export const EphemeralVolumeSource = t.struct('core/v1.EphemeralVolumeSource', {
  volumeClaimTemplate: t.pointer(1, PersistentVolumeClaimTemplate, { keepsGated: true }),
});
export interface EphemeralVolumeSource extends t.Static<typeof EphemeralVolumeSource> {}

export const FCVolumeSource = t.struct('core/v1.FCVolumeSource', {
  targetWWNs: t.optional(1, t.atomicList(t.string)),
  lun: t.pointer(2, t.int32),
  fsType: t.optional(3, t.string, { go: 'FSType' }),
  readOnly: t.optional(4, t.bool),
  wwids: t.optional(5, t.atomicList(t.string), { go: 'WWIDs' }),
});
export interface FCVolumeSource extends t.Static<typeof FCVolumeSource> {}

export const FlexPersistentVolumeSource = t.struct('core/v1.FlexPersistentVolumeSource', {
  driver: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  secretRef: t.pointer(3, SecretReference),
  readOnly: t.optional(4, t.bool),
  options: t.optional(5, t.map(t.string)),
});
export interface FlexPersistentVolumeSource extends t.Static<typeof FlexPersistentVolumeSource> {}

export const FlexVolumeSource = t.struct('core/v1.FlexVolumeSource', {
  ...FlexPersistentVolumeSource.fields,
  secretRef: t.pointer(3, LocalObjectReference),
});
export interface FlexVolumeSource extends t.Static<typeof FlexVolumeSource> {}

export const FlockerVolumeSource = t.struct('core/v1.FlockerVolumeSource', {
  datasetName: t.optional(1, t.string),
  datasetUUID: t.optional(2, t.string),
});
export interface FlockerVolumeSource extends t.Static<typeof FlockerVolumeSource> {}

export const GCEPersistentDiskVolumeSource = t.struct('core/v1.GCEPersistentDiskVolumeSource', {
  pdName: t.always(1, t.string, { required: true, go: 'PDName' }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  partition: t.optional(3, t.int32),
  readOnly: t.optional(4, t.bool),
});
export interface GCEPersistentDiskVolumeSource extends t.Static<typeof GCEPersistentDiskVolumeSource> {}

export const GitRepoVolumeSource = t.struct('core/v1.GitRepoVolumeSource', {
  repository: t.always(1, t.string, { required: true }),
  revision: t.optional(2, t.string),
  directory: t.optional(3, t.string),
});
export interface GitRepoVolumeSource extends t.Static<typeof GitRepoVolumeSource> {}

export const GlusterfsPersistentVolumeSource = t.struct('core/v1.GlusterfsPersistentVolumeSource', {
  endpoints: t.always(1, t.string, { required: true, go: 'EndpointsName' }),
  path: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
  endpointsNamespace: t.pointer(4, t.string),
});
export interface GlusterfsPersistentVolumeSource extends t.Static<typeof GlusterfsPersistentVolumeSource> {}

export const GlusterfsVolumeSource = t.struct('core/v1.GlusterfsVolumeSource', {
  endpoints: t.always(1, t.string, { required: true, go: 'EndpointsName' }),
  path: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
});
export interface GlusterfsVolumeSource extends t.Static<typeof GlusterfsVolumeSource> {}

export const HostPathVolumeSource = t.struct('core/v1.HostPathVolumeSource', {
  path: t.always(1, t.string, { required: true }),
  type: t.pointer(
    2,
    t.named(
      'v1.HostPathType',
      t.oneOf([
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
export interface HostPathVolumeSource extends t.Static<typeof HostPathVolumeSource> {}

export const ISCSIPersistentVolumeSource = t.struct('core/v1.ISCSIPersistentVolumeSource', {
  targetPortal: t.always(1, t.string, { required: true }),
  iqn: t.always(2, t.string, { required: true, go: 'IQN' }),
  lun: t.always(3, t.int32, { required: true }),
  iscsiInterface: t.optional(4, t.string, {
    default: 'default',
    defaultPublished: true,
    go: 'ISCSIInterface',
  }),
  fsType: t.optional(5, t.string, { go: 'FSType' }),
  readOnly: t.optional(6, t.bool),
  portals: t.optional(7, t.atomicList(t.string)),
  chapAuthDiscovery: t.optional(8, t.bool, { go: 'DiscoveryCHAPAuth' }),
  chapAuthSession: t.optional(11, t.bool, { go: 'SessionCHAPAuth' }),
  secretRef: t.pointer(10, SecretReference),
  initiatorName: t.pointer(12, t.string),
});
export interface ISCSIPersistentVolumeSource extends t.Static<typeof ISCSIPersistentVolumeSource> {}

export const ISCSIVolumeSource = t.struct('core/v1.ISCSIVolumeSource', {
  ...ISCSIPersistentVolumeSource.fields,
  secretRef: t.pointer(10, LocalObjectReference),
});
export interface ISCSIVolumeSource extends t.Static<typeof ISCSIVolumeSource> {}

export const ImageVolumeSource = t.struct('core/v1.ImageVolumeSource', {
  reference: t.optional(1, t.string),
  pullPolicy: t.optional(2, t.named('v1.PullPolicy', t.oneOf(['Always', 'Never', 'IfNotPresent']))),
});
export interface ImageVolumeSource extends t.Static<typeof ImageVolumeSource> {}

export const LocalVolumeSource = t.struct('core/v1.LocalVolumeSource', {
  path: t.always(1, t.string, { required: true }),
  fsType: t.pointer(2, t.string, { go: 'FSType' }),
});
export interface LocalVolumeSource extends t.Static<typeof LocalVolumeSource> {}

export const NFSVolumeSource = t.struct('core/v1.NFSVolumeSource', {
  server: t.always(1, t.string, { required: true }),
  path: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
});
export interface NFSVolumeSource extends t.Static<typeof NFSVolumeSource> {}

export const PersistentVolumeClaimVolumeSource = t.struct('core/v1.PersistentVolumeClaimVolumeSource', {
  claimName: t.always(1, t.string, { required: true }),
  readOnly: t.optional(2, t.bool),
});
export interface PersistentVolumeClaimVolumeSource extends t.Static<
  typeof PersistentVolumeClaimVolumeSource
> {}

export const RBDPersistentVolumeSource = t.struct('core/v1.RBDPersistentVolumeSource', {
  monitors: t.always(1, t.atomicList(t.string), { required: true, go: 'CephMonitors' }),
  image: t.always(2, t.string, { required: true, go: 'RBDImage' }),
  fsType: t.optional(3, t.string, { go: 'FSType' }),
  pool: t.optional(4, t.string, { default: 'rbd', defaultPublished: true, go: 'RBDPool' }),
  user: t.optional(5, t.string, { default: 'admin', defaultPublished: true, go: 'RadosUser' }),
  keyring: t.optional(6, t.string, { default: '/etc/ceph/keyring', defaultPublished: true }),
  secretRef: t.pointer(7, SecretReference),
  readOnly: t.optional(8, t.bool),
});
export interface RBDPersistentVolumeSource extends t.Static<typeof RBDPersistentVolumeSource> {}

export const VsphereVirtualDiskVolumeSource = t.struct('core/v1.VsphereVirtualDiskVolumeSource', {
  volumePath: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  storagePolicyName: t.optional(3, t.string),
  storagePolicyID: t.optional(4, t.string),
});
export interface VsphereVirtualDiskVolumeSource extends t.Static<typeof VsphereVirtualDiskVolumeSource> {}

export const QuobyteVolumeSource = t.struct('core/v1.QuobyteVolumeSource', {
  registry: t.always(1, t.string, { required: true }),
  volume: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
  user: t.optional(4, t.string),
  group: t.optional(5, t.string),
  tenant: t.optional(6, t.string),
});
export interface QuobyteVolumeSource extends t.Static<typeof QuobyteVolumeSource> {}

export const PhotonPersistentDiskVolumeSource = t.struct('core/v1.PhotonPersistentDiskVolumeSource', {
  pdID: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
});
export interface PhotonPersistentDiskVolumeSource extends t.Static<typeof PhotonPersistentDiskVolumeSource> {}

export const PortworxVolumeSource = t.struct('core/v1.PortworxVolumeSource', {
  volumeID: t.always(1, t.string, { required: true }),
  fsType: t.optional(2, t.string, { go: 'FSType' }),
  readOnly: t.optional(3, t.bool),
});
export interface PortworxVolumeSource extends t.Static<typeof PortworxVolumeSource> {}

export const ScaleIOPersistentVolumeSource = t.struct('core/v1.ScaleIOPersistentVolumeSource', {
  gateway: t.always(1, t.string, { required: true }),
  system: t.always(2, t.string, { required: true }),
  secretRef: t.nullable(3, SecretReference, { required: true }),
  sslEnabled: t.optional(4, t.bool, { go: 'SSLEnabled' }),
  protectionDomain: t.optional(5, t.string),
  storagePool: t.optional(6, t.string),
  storageMode: t.optional(7, t.string, { default: 'ThinProvisioned', defaultPublished: true }),
  volumeName: t.optional(8, t.string),
  fsType: t.optional(9, t.string, { default: 'xfs', defaultPublished: true, go: 'FSType' }),
  readOnly: t.optional(10, t.bool),
});
export interface ScaleIOPersistentVolumeSource extends t.Static<typeof ScaleIOPersistentVolumeSource> {}

export const StorageOSPersistentVolumeSource = t.struct('core/v1.StorageOSPersistentVolumeSource', {
  volumeName: t.optional(1, t.string),
  volumeNamespace: t.optional(2, t.string),
  fsType: t.optional(3, t.string, { go: 'FSType' }),
  readOnly: t.optional(4, t.bool),
  secretRef: t.pointer(5, ObjectReference),
});
export interface StorageOSPersistentVolumeSource extends t.Static<typeof StorageOSPersistentVolumeSource> {}

export const PersistentVolumeSource = t.struct('core/v1.PersistentVolumeSource', {
  gcePersistentDisk: t.pointer(1, GCEPersistentDiskVolumeSource, { go: 'GCEPersistentDisk' }),
  awsElasticBlockStore: t.pointer(2, AWSElasticBlockStoreVolumeSource, { go: 'AWSElasticBlockStore' }),
  hostPath: t.pointer(3, HostPathVolumeSource),
  glusterfs: t.pointer(4, GlusterfsPersistentVolumeSource),
  nfs: t.pointer(5, NFSVolumeSource, { go: 'NFS' }),
  rbd: t.pointer(6, RBDPersistentVolumeSource, { go: 'RBD' }),
  iscsi: t.pointer(7, ISCSIPersistentVolumeSource, { go: 'ISCSI' }),
  cinder: t.pointer(8, CinderPersistentVolumeSource),
  cephfs: t.pointer(9, CephFSPersistentVolumeSource, { go: 'CephFS' }),
  fc: t.pointer(10, FCVolumeSource, { go: 'FC' }),
  flocker: t.pointer(11, FlockerVolumeSource),
  flexVolume: t.pointer(12, FlexPersistentVolumeSource),
  azureFile: t.pointer(13, AzureFilePersistentVolumeSource),
  vsphereVolume: t.pointer(14, VsphereVirtualDiskVolumeSource),
  quobyte: t.pointer(15, QuobyteVolumeSource),
  azureDisk: t.pointer(16, AzureDiskVolumeSource),
  photonPersistentDisk: t.pointer(17, PhotonPersistentDiskVolumeSource),
  portworxVolume: t.pointer(18, PortworxVolumeSource),
  scaleIO: t.pointer(19, ScaleIOPersistentVolumeSource),
  local: t.pointer(20, LocalVolumeSource),
  storageos: t.pointer(21, StorageOSPersistentVolumeSource, { go: 'StorageOS' }),
  csi: t.pointer(22, CSIPersistentVolumeSource, { go: 'CSI' }),
});
export interface PersistentVolumeSource extends t.Static<typeof PersistentVolumeSource> {}

export const ProjectedVolumeSource = t.struct('core/v1.ProjectedVolumeSource', {
  sources: t.always(1, t.atomicList(VolumeProjection)),
  defaultMode: t.pointer(2, t.int32, { default: 420 }),
});
export interface ProjectedVolumeSource extends t.Static<typeof ProjectedVolumeSource> {}

export const RBDVolumeSource = t.struct('core/v1.RBDVolumeSource', {
  ...RBDPersistentVolumeSource.fields,
  secretRef: t.pointer(7, LocalObjectReference),
});
export interface RBDVolumeSource extends t.Static<typeof RBDVolumeSource> {}

export const ScaleIOVolumeSource = t.struct('core/v1.ScaleIOVolumeSource', {
  ...ScaleIOPersistentVolumeSource.fields,
  secretRef: t.nullable(3, LocalObjectReference, { required: true }),
});
export interface ScaleIOVolumeSource extends t.Static<typeof ScaleIOVolumeSource> {}

export const SecretVolumeSource = t.struct('core/v1.SecretVolumeSource', {
  secretName: t.optional(1, t.string),
  items: t.optional(2, t.atomicList(KeyToPath)),
  defaultMode: t.pointer(3, t.int32, { default: 420 }),
  optional: t.pointer(4, t.bool),
});
export interface SecretVolumeSource extends t.Static<typeof SecretVolumeSource> {}

export const StorageOSVolumeSource = t.struct('core/v1.StorageOSVolumeSource', {
  ...StorageOSPersistentVolumeSource.fields,
  secretRef: t.pointer(5, LocalObjectReference),
});
export interface StorageOSVolumeSource extends t.Static<typeof StorageOSVolumeSource> {}

export const VolumeSource = t.struct('core/v1.VolumeSource', {
  hostPath: t.pointer(1, HostPathVolumeSource),
  emptyDir: t.pointer(2, EmptyDirVolumeSource),
  gcePersistentDisk: t.pointer(3, GCEPersistentDiskVolumeSource, { go: 'GCEPersistentDisk' }),
  awsElasticBlockStore: t.pointer(4, AWSElasticBlockStoreVolumeSource, { go: 'AWSElasticBlockStore' }),
  gitRepo: t.pointer(5, GitRepoVolumeSource),
  secret: t.pointer(6, SecretVolumeSource),
  nfs: t.pointer(7, NFSVolumeSource, { go: 'NFS' }),
  iscsi: t.pointer(8, ISCSIVolumeSource, { go: 'ISCSI' }),
  glusterfs: t.pointer(9, GlusterfsVolumeSource),
  persistentVolumeClaim: t.pointer(10, PersistentVolumeClaimVolumeSource),
  rbd: t.pointer(11, RBDVolumeSource, { go: 'RBD' }),
  flexVolume: t.pointer(12, FlexVolumeSource),
  cinder: t.pointer(13, CinderVolumeSource),
  cephfs: t.pointer(14, CephFSVolumeSource, { go: 'CephFS' }),
  flocker: t.pointer(15, FlockerVolumeSource),
  downwardAPI: t.pointer(16, DownwardAPIVolumeSource),
  fc: t.pointer(17, FCVolumeSource, { go: 'FC' }),
  azureFile: t.pointer(18, AzureFileVolumeSource),
  configMap: t.pointer(19, ConfigMapVolumeSource),
  vsphereVolume: t.pointer(20, VsphereVirtualDiskVolumeSource),
  quobyte: t.pointer(21, QuobyteVolumeSource),
  azureDisk: t.pointer(22, AzureDiskVolumeSource),
  photonPersistentDisk: t.pointer(23, PhotonPersistentDiskVolumeSource),
  projected: t.pointer(26, ProjectedVolumeSource),
  portworxVolume: t.pointer(24, PortworxVolumeSource),
  scaleIO: t.pointer(25, ScaleIOVolumeSource),
  storageos: t.pointer(27, StorageOSVolumeSource, { go: 'StorageOS' }),
  csi: t.pointer(28, CSIVolumeSource, { go: 'CSI' }),
  ephemeral: t.pointer(29, EphemeralVolumeSource),
  image: t.pointer(30, ImageVolumeSource),
});
export interface VolumeSource extends t.Static<typeof VolumeSource> {}
