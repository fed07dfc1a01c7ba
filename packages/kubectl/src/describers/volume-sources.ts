/** Describes each type of volume: of pods, and of persistent volumes. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { canonicalQuantity, parseQuantity, quantityMilliValue } from '@coxswain/apimachinery/quantity.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';

export type VolumeSource = Readonly<Record<string, unknown>>;

export interface VolumeKind {
  readonly about: string;
  /** Label and value of each line below. A label includes everything before the value. */
  readonly fields: (source: VolumeSource) => Fields;
}

type Fields = readonly (readonly [label: string, value: unknown])[];

/** Lines that need more than a field's value, by label. */
type Computed = Readonly<Record<string, (source: VolumeSource) => Fields>>;

/**
 * @param lines the labels, separated by `, `. The value is that of the field with the label's name, or of `Label:field`;
 *   `Label?` is true or false, `Label[]` a list as Go prints it, and `Label=x` has a default.
 */
const volume = (about: string, lines = '', computed: Computed = {}): VolumeKind => {
  const readers = lines === '' ? [] : lines.split(', ').map((line) => computed[line] ?? readerOf(line));
  return { about, fields: (source) => readers.flatMap((read) => read(source)) };
};

function readerOf(line: string): (source: VolumeSource) => Fields {
  const [, label, other, form, fallback] = /^([\w ]+)(?::(\w+))?(\?|\[\])?(?:=(.*))?$/.exec(line)!;
  const field = other ?? fieldOf(label!);
  return (source) => {
    const value = source[field];
    if (form === '?') return [[label!, value === true]];
    return [[label!, form === '[]' ? goValue(value ?? []) : (value ?? fallback)]];
  };
}

/** `FSType` → `fsType`, `Storage Pool` → `storagePool` */
const fieldOf = (label: string): string =>
  label.replaceAll(' ', '').replace(/^(?:[A-Z]+(?=[A-Z][a-z]|$)|[A-Z])/, (start) => start.toLowerCase());

/** Types that pods and persistent volumes describe alike. */
const shared: Readonly<Record<string, VolumeKind>> = {
  hostPath: volume('HostPath (bare host directory volume)', 'Path, HostPathType:type=<none>'),
  nfs: volume('NFS (an NFS mount that lasts the lifetime of a pod)', 'Server, Path, ReadOnly?'),
  gcePersistentDisk: volume(
    'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    'PDName, FSType, Partition=0, ReadOnly?',
  ),
  awsElasticBlockStore: volume(
    'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    'VolumeID, FSType, Partition=0, ReadOnly?',
  ),
  quobyte: volume(
    "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    'Registry, Volume, ReadOnly?',
  ),
  vsphereVolume: volume(
    'vSphereVolume (a Persistent Disk resource in vSphere)',
    'VolumePath, FSType, StoragePolicyName',
  ),
  azureDisk: volume(
    'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    'DiskName, DiskURI, Kind, FSType, CachingMode, ReadOnly?',
  ),
  photonPersistentDisk: volume(
    'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    'PdID, FSType',
  ),
  portworxVolume: volume('PortworxVolume (a Portworx Volume resource)', 'VolumeID'),
  storageos: volume(
    'StorageOS (a StorageOS Persistent Disk resource)',
    'VolumeName, VolumeNamespace, FSType, ReadOnly?',
  ),
  fc: volume('FC (a Fibre Channel disk)', 'TargetWWNs, LUN=<none>, FSType, ReadOnly?', {
    TargetWWNs: ({ targetWWNs }) => [['TargetWWNs', ((targetWWNs ?? []) as readonly string[]).join(', ')]],
  }),
  flocker: volume('Flocker (a Flocker volume mounted by the Flocker agent)', 'DatasetName, DatasetUUID'),
};

/** Types whose Secret is a LocalObjectReference in pods, and a SecretReference in persistent volumes. */
function kindsWithSecrets(type: 'LocalObjectReference' | 'SecretReference'): Record<string, VolumeKind> {
  const SecretRef = ({ secretRef }: VolumeSource): Fields => {
    if (!secretRef) return [['SecretRef', 'nil']];
    const { name = '', namespace = '' } = secretRef as core.SecretReference;
    const rest = type === 'SecretReference' ? `Namespace:${namespace},` : '';
    return [['SecretRef', `&${type}{Name:${name},${rest}}`]];
  };
  return {
    iscsi: volume(
      "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
      'TargetPortal, IQN, Lun=0, ISCSIInterface, FSType, ReadOnly?, Portals[], DiscoveryCHAPAuth:chapAuthDiscovery?, SessionCHAPAuth:chapAuthSession?, SecretRef, InitiatorName=<none>',
      { SecretRef },
    ),
    rbd: volume(
      "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
      'CephMonitors:monitors[], RBDImage:image, FSType, RBDPool:pool, RadosUser:user, Keyring, SecretRef, ReadOnly?',
      { SecretRef },
    ),
    cephfs: volume(
      "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
      'Monitors[], Path, User, SecretFile, SecretRef, ReadOnly?',
      { SecretRef },
    ),
    cinder: volume(
      'Cinder (a Persistent Disk resource in OpenStack)',
      'VolumeID, FSType, ReadOnly?, SecretRef',
      { SecretRef },
    ),
    flexVolume: volume(
      'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
      'Driver, FSType, SecretRef, ReadOnly?, Options',
      { SecretRef, Options: ({ options }) => [['Options', goValue(options ?? {})]] },
    ),
  };
}

const csiAbout = 'CSI (a Container Storage Interface (CSI) volume source)';
const glusterfsAbout = "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)";
const azureFileAbout = 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)';
const scaleIOAbout = 'ScaleIO (a persistent volume backed by a block device in ScaleIO)';
const scaleIOStorage = 'Gateway, System, Protection Domain, Storage Pool, Storage Mode, VolumeName';

/** Longer attributes are truncated. */
const attributeLengthMax = 140;

/** One attribute per line, all indented one level more, as upstream. */
const VolumeAttributes = ({ volumeAttributes }: VolumeSource): Fields => {
  const lines = Object.entries((volumeAttributes ?? {}) as Readonly<Record<string, string>>)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .map((line) => (line.length > attributeLengthMax ? `${line.slice(0, attributeLengthMax)}...` : line));
  if (lines.length === 0) return [['VolumeAttributes', '<none>']];
  return lines.map((line, index) => [index === 0 ? 'VolumeAttributes' : '', `    ${line}`]);
};

/** The types of a volume in upstream's order: of several, the first one counts. */
const inOrder = (names: string, kinds: Readonly<Record<string, VolumeKind>>): Record<string, VolumeKind> =>
  Object.fromEntries(names.split(' ').map((name) => [name, kinds[name]!]));

const networkDisks = 'photonPersistentDisk portworxVolume scaleIO';
const lastSources = 'cephfs storageos fc azureFile flexVolume flocker';

export const podVolumeKinds = inOrder(
  `hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret configMap nfs iscsi glusterfs persistentVolumeClaim ephemeral rbd quobyte downwardAPI azureDisk vsphereVolume cinder ${networkDisks} ${lastSources} projected csi image`,
  {
    ...shared,
    emptyDir: volume("EmptyDir (a temporary directory that shares a pod's lifetime)", 'Medium, SizeLimit', {
      SizeLimit: ({ sizeLimit }) => [['SizeLimit', sizeLimitText(sizeLimit)]],
    }),
    gitRepo: volume(
      'GitRepo (a volume that is pulled from git when the pod is created)',
      'Repository, Revision',
    ),
    secret: volume('Secret (a volume populated by a Secret)', 'SecretName, Optional?'),
    configMap: volume('ConfigMap (a volume populated by a ConfigMap)', 'Name, Optional?'),
    persistentVolumeClaim: volume(
      'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
      'ClaimName, ReadOnly?',
    ),
    ephemeral: volume(
      'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    ),
    projected: volume('Projected (a volume that contains injected data from multiple sources)'),
    downwardAPI: volume('DownwardAPI (a volume populated by information about the pod)'),
    csi: volume(csiAbout, 'Driver, FSType, ReadOnly?, VolumeAttributes', { VolumeAttributes }),
    image: volume('Image (a container image or OCI artifact)', 'Reference, PullPolicy'),
    glusterfs: volume(glusterfsAbout, 'EndpointsName:endpoints, Path, ReadOnly?'),
    azureFile: volume(azureFileAbout, 'SecretName, ShareName, ReadOnly?'),
    scaleIO: volume(scaleIOAbout, `${scaleIOStorage}, FSType, ReadOnly?`),
    ...kindsWithSecrets('LocalObjectReference'),
  },
);

export const persistentVolumeKinds = inOrder(
  `hostPath gcePersistentDisk awsElasticBlockStore nfs iscsi glusterfs rbd quobyte vsphereVolume cinder azureDisk ${networkDisks} local ${lastSources} csi`,
  {
    ...shared,
    local: volume('LocalVolume (a persistent volume backed by local storage on a node)', 'Path'),
    csi: volume(csiAbout, 'Driver, FSType, VolumeHandle, ReadOnly?, VolumeAttributes', { VolumeAttributes }),
    glusterfs: volume(glusterfsAbout, 'EndpointsName:endpoints, EndpointsNamespace=<unset>, Path, ReadOnly?'),
    azureFile: volume(azureFileAbout, 'SecretName, SecretNamespace, ShareName, ReadOnly?'),
    scaleIO: volume(scaleIOAbout, `${scaleIOStorage}, SecretRef, FSType, ReadOnly?`, {
      SecretRef: ({ secretRef }) => {
        const { name, namespace } = (secretRef ?? {}) as core.SecretReference;
        return [
          ['SecretName', name],
          ['SecretNamespace', namespace],
        ];
      },
    }),
    ...kindsWithSecrets('SecretReference'),
  },
);

function sizeLimitText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '<unset>';
  const text = String(value);
  return quantityMilliValue(parseQuantity(text)) > 0n ? canonicalQuantity(text) : '<unset>';
}
