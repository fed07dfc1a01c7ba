/** Describes each type of volume: of pods, and of persistent volumes. */
import { canonicalQuantity, parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';

export type VolumeSource = Readonly<Record<string, unknown>>;

export interface VolumeKind {
  readonly about: string;
  /** Label and value of each line below. A label includes everything before the value. */
  readonly fields: (source: VolumeSource) => readonly (readonly [label: string, value: unknown])[];
}

type Fields = readonly (readonly [label: string, value: unknown])[];

/** Fields of the source, in the order given: `['Path', 'path']`. */
const plain =
  (...names: readonly (readonly [label: string, field: string])[]) =>
  (source: VolumeSource): Fields =>
    names.map(([label, field]) => [label, source[field]]);

const readOnly = (source: VolumeSource): readonly [string, unknown] => [
  'ReadOnly',
  source['readOnly'] === true,
];
const optional = (source: VolumeSource): readonly [string, unknown] => [
  'Optional',
  source['optional'] === true,
];
const list = (value: unknown): string => goValue(value ?? []);
const joined = (value: unknown): string => ((value ?? []) as readonly string[]).join(', ');

/** Formats a reference as Go prints a pointer to one. */
const secretOf =
  (type: 'LocalObjectReference' | 'SecretReference') =>
  (source: VolumeSource): readonly [string, unknown] => {
    const value = source['secretRef'] as { readonly name?: string; readonly namespace?: string } | undefined;
    if (!value) return ['SecretRef', 'nil'];
    const namespace = type === 'SecretReference' ? `Namespace:${value.namespace ?? ''},` : '';
    return ['SecretRef', `&${type}{Name:${value.name ?? ''},${namespace}}`];
  };

type Secret = ReturnType<typeof secretOf>;

const iscsi = (secret: Secret): VolumeKind => ({
  about:
    "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
  fields: (s) => [
    ['TargetPortal', s['targetPortal']],
    ['IQN', s['iqn']],
    ['Lun', s['lun'] ?? 0],
    ['ISCSIInterface', s['iscsiInterface']],
    ['FSType', s['fsType']],
    readOnly(s),
    ['Portals', list(s['portals'])],
    ['DiscoveryCHAPAuth', s['chapAuthDiscovery'] === true],
    ['SessionCHAPAuth', s['chapAuthSession'] === true],
    secret(s),
    ['InitiatorName', s['initiatorName'] ?? '<none>'],
  ],
});

const rbd = (secret: Secret): VolumeKind => ({
  about: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
  fields: (s) => [
    ['CephMonitors', list(s['monitors'])],
    ['RBDImage', s['image']],
    ['FSType', s['fsType']],
    ['RBDPool', s['pool']],
    ['RadosUser', s['user']],
    ['Keyring', s['keyring']],
    secret(s),
    readOnly(s),
  ],
});

const cephfs = (secret: Secret): VolumeKind => ({
  about: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
  fields: (s) => [
    ['Monitors', list(s['monitors'])],
    ['Path', s['path']],
    ['User', s['user']],
    ['SecretFile', s['secretFile']],
    secret(s),
    readOnly(s),
  ],
});

const cinder = (secret: Secret): VolumeKind => ({
  about: 'Cinder (a Persistent Disk resource in OpenStack)',
  fields: (s) => [['VolumeID', s['volumeID']], ['FSType', s['fsType']], readOnly(s), secret(s)],
});

const flexVolume = (secret: Secret): VolumeKind => ({
  about: 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
  fields: (s) => [
    ['Driver', s['driver']],
    ['FSType', s['fsType']],
    secret(s),
    readOnly(s),
    ['Options', goValue(s['options'] ?? {})],
  ],
});

const scaleIO = (secretFields: (source: VolumeSource) => Fields): VolumeKind => ({
  about: 'ScaleIO (a persistent volume backed by a block device in ScaleIO)',
  fields: (s) => [
    ['Gateway', s['gateway']],
    ['System', s['system']],
    ['Protection Domain', s['protectionDomain']],
    ['Storage Pool', s['storagePool']],
    ['Storage Mode', s['storageMode']],
    ['VolumeName', s['volumeName']],
    ...secretFields(s),
    ['FSType', s['fsType']],
    readOnly(s),
  ],
});

const csiAbout = 'CSI (a Container Storage Interface (CSI) volume source)';

/** Types that pods and persistent volumes describe alike. */
const shared: Readonly<Record<string, VolumeKind>> = {
  hostPath: {
    about: 'HostPath (bare host directory volume)',
    fields: (s) => [
      ['Path', s['path']],
      ['HostPathType', s['type'] ?? '<none>'],
    ],
  },
  nfs: {
    about: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: (s) => [['Server', s['server']], ['Path', s['path']], readOnly(s)],
  },
  gcePersistentDisk: {
    about: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: (s) => [
      ['PDName', s['pdName']],
      ['FSType', s['fsType']],
      ['Partition', s['partition'] ?? 0],
      readOnly(s),
    ],
  },
  awsElasticBlockStore: {
    about: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: (s) => [
      ['VolumeID', s['volumeID']],
      ['FSType', s['fsType']],
      ['Partition', s['partition'] ?? 0],
      readOnly(s),
    ],
  },
  quobyte: {
    about: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    fields: (s) => [['Registry', s['registry']], ['Volume', s['volume']], readOnly(s)],
  },
  vsphereVolume: {
    about: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    fields: plain(
      ['VolumePath', 'volumePath'],
      ['FSType', 'fsType'],
      ['StoragePolicyName', 'storagePolicyName'],
    ),
  },
  azureDisk: {
    about: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    fields: (s) => [
      ['DiskName', s['diskName']],
      ['DiskURI', s['diskURI']],
      ['Kind', s['kind']],
      ['FSType', s['fsType']],
      ['CachingMode', s['cachingMode']],
      readOnly(s),
    ],
  },
  photonPersistentDisk: {
    about: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    fields: plain(['PdID', 'pdID'], ['FSType', 'fsType']),
  },
  portworxVolume: {
    about: 'PortworxVolume (a Portworx Volume resource)',
    fields: plain(['VolumeID', 'volumeID']),
  },
  storageos: {
    about: 'StorageOS (a StorageOS Persistent Disk resource)',
    fields: (s) => [
      ['VolumeName', s['volumeName']],
      ['VolumeNamespace', s['volumeNamespace']],
      ['FSType', s['fsType']],
      readOnly(s),
    ],
  },
  fc: {
    about: 'FC (a Fibre Channel disk)',
    fields: (s) => [
      ['TargetWWNs', joined(s['targetWWNs'])],
      ['LUN', s['lun'] ?? '<none>'],
      ['FSType', s['fsType']],
      readOnly(s),
    ],
  },
  flocker: {
    about: 'Flocker (a Flocker volume mounted by the Flocker agent)',
    fields: plain(['DatasetName', 'datasetName'], ['DatasetUUID', 'datasetUUID']),
  },
};

const local = secretOf('LocalObjectReference');
const anywhere = secretOf('SecretReference');

export const podVolumeKinds: Readonly<Record<string, VolumeKind>> = {
  ...shared,
  emptyDir: {
    about: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: (s) => [
      ['Medium', s['medium']],
      ['SizeLimit', sizeLimit(s['sizeLimit'])],
    ],
  },
  gitRepo: {
    about: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: plain(['Repository', 'repository'], ['Revision', 'revision']),
  },
  secret: {
    about: 'Secret (a volume populated by a Secret)',
    fields: (s) => [['SecretName', s['secretName']], optional(s)],
  },
  configMap: {
    about: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: (s) => [['Name', s['name']], optional(s)],
  },
  persistentVolumeClaim: {
    about: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: (s) => [['ClaimName', s['claimName']], readOnly(s)],
  },
  ephemeral: {
    about:
      'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    fields: () => [],
  },
  downwardAPI: {
    about: 'DownwardAPI (a volume populated by information about the pod)',
    fields: () => [],
  },
  csi: {
    about: csiAbout,
    fields: (s) => [
      ['Driver', s['driver']],
      ['FSType', s['fsType']],
      readOnly(s),
      ...volumeAttributes(s['volumeAttributes']),
    ],
  },
  image: {
    about: 'Image (a container image or OCI artifact)',
    fields: plain(['Reference', 'reference'], ['PullPolicy', 'pullPolicy']),
  },
  glusterfs: {
    about: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: (s) => [['EndpointsName', s['endpoints']], ['Path', s['path']], readOnly(s)],
  },
  azureFile: {
    about: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: (s) => [['SecretName', s['secretName']], ['ShareName', s['shareName']], readOnly(s)],
  },
  scaleIO: scaleIO(() => []),
  iscsi: iscsi(local),
  rbd: rbd(local),
  cephfs: cephfs(local),
  cinder: cinder(local),
  flexVolume: flexVolume(local),
};

export const persistentVolumeKinds: Readonly<Record<string, VolumeKind>> = {
  ...shared,
  local: {
    about: 'LocalVolume (a persistent volume backed by local storage on a node)',
    fields: plain(['Path', 'path']),
  },
  csi: {
    about: csiAbout,
    fields: (s) => [
      ['Driver', s['driver']],
      ['FSType', s['fsType']],
      ['VolumeHandle', s['volumeHandle']],
      readOnly(s),
      ...volumeAttributes(s['volumeAttributes']),
    ],
  },
  glusterfs: {
    about: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: (s) => [
      ['EndpointsName', s['endpoints']],
      ['EndpointsNamespace', s['endpointsNamespace'] ?? '<unset>'],
      ['Path', s['path']],
      readOnly(s),
    ],
  },
  azureFile: {
    about: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: (s) => [
      ['SecretName', s['secretName']],
      ['SecretNamespace', s['secretNamespace']],
      ['ShareName', s['shareName']],
      readOnly(s),
    ],
  },
  scaleIO: scaleIO(({ secretRef }) => {
    const { name, namespace } = (secretRef ?? {}) as { readonly name?: string; readonly namespace?: string };
    return [
      ['SecretName', name],
      ['SecretNamespace', namespace],
    ];
  }),
  iscsi: iscsi(anywhere),
  rbd: rbd(anywhere),
  cephfs: cephfs(anywhere),
  cinder: cinder(anywhere),
  flexVolume: flexVolume(anywhere),
};

function sizeLimit(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '<unset>';
  const text = String(value);
  return quantityMilliValue(parseQuantity(text)) > 0n ? canonicalQuantity(text) : '<unset>';
}

/** Longer attributes are truncated. */
const attributeLengthMax = 140;

/** One per line, all indented one level more, as upstream. */
function volumeAttributes(attributes: unknown): Fields {
  const all = (attributes ?? {}) as Readonly<Record<string, string>>;
  const lines = Object.keys(all)
    .sort()
    .map((key) => `${key}=${all[key]}`)
    .map((line) => (line.length > attributeLengthMax ? `${line.slice(0, attributeLengthMax)}...` : line));
  if (lines.length === 0) return [['VolumeAttributes', '<none>']];
  return lines.map((line, index) => [index === 0 ? 'VolumeAttributes' : '', `    ${line}`]);
}
