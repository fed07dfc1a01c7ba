/** Translates volumes of former in-tree plugins to the form of the CSI drivers that replaced them. */

import type { PersistentVolume, Pod } from '../objects.ts';

export interface CsiSource {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly readOnly?: boolean;
  readonly fsType?: string;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  readonly nodeStageSecretRef?: { readonly name: string; readonly namespace: string };
}

/** Replaces the persistent volume in an attachment. */
export interface InlineSpec {
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  readonly csi: CsiSource;
}

type PodVolume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number];

type VolumeSource = Pick<
  PodVolume,
  | 'awsElasticBlockStore'
  | 'gcePersistentDisk'
  | 'azureDisk'
  | 'azureFile'
  | 'cinder'
  | 'vsphereVolume'
  | 'portworxVolume'
>;

/** Undefined if it is not such a volume, or the driver can't identify it. */
export function translatedVolume({ metadata, spec }: PersistentVolume): CsiSource | undefined {
  if (spec?.azureFile) {
    const { secretNamespace, ...file } = spec.azureFile;
    const namespace = secretNamespace ?? spec.claimRef?.namespace;
    const group = metadata.annotations?.['kubernetes.io/azure-file-resource-group'] ?? '';
    return namespace ? azureFile(file, group, metadata.name ?? '', namespace) : undefined;
  }
  if (spec?.gcePersistentDisk) {
    const place = gcePlace(metadata.labels ?? {});
    return place === undefined ? undefined : gceDisk(spec.gcePersistentDisk, place);
  }
  return translatedSource((spec ?? {}) as VolumeSource);
}

/** For a volume defined in a pod itself. */
export function translatedInline(
  volume: PodVolume,
  namespace: string,
): { readonly name: string; readonly spec: InlineSpec } | undefined {
  const { gcePersistentDisk: disk, azureFile: file, portworxVolume } = volume;
  const once = ['ReadWriteOnce'];
  const volumeMode = 'Filesystem';
  if (disk) {
    const csi = gceDisk(disk, gceNowhere);
    const accessModes = disk.readOnly ? ['ReadOnlyMany'] : once;
    return { name: `${csi.driver}-${disk.pdName}`, spec: { csi, accessModes, volumeMode } };
  }
  if (file) {
    const csi = azureFile(file, '', volume.name, namespace);
    return { name: csi.volumeHandle, spec: { csi, accessModes: ['ReadWriteMany'], volumeMode } };
  }
  const csi = translatedSource(volume);
  if (csi === undefined) return undefined;
  const accessModes = portworxVolume?.readOnly ? ['ReadOnlyMany'] : once;
  const name = volume.azureDisk ? csi.volumeHandle : `${csi.driver}-${csi.volumeHandle}`;
  return { name, spec: { csi, accessModes, volumeMode } };
}

function translatedSource(source: VolumeSource): CsiSource | undefined {
  const {
    awsElasticBlockStore: ebs,
    azureDisk: azure,
    cinder,
    vsphereVolume: vsphere,
    portworxVolume: portworx,
  } = source;
  if (ebs) {
    const volumeHandle = ebsVolume(ebs.volumeID);
    const volumeAttributes = { partition: String(ebs.partition ?? 0) };
    if (volumeHandle === undefined) return undefined;
    return { driver: 'ebs.csi.aws.com', volumeHandle, ...details(ebs), volumeAttributes };
  }
  if (azure) {
    if (azure.kind && azure.kind.toLowerCase() !== 'managed') return undefined;
    const volumeAttributes = {
      kind: 'Managed',
      ...(azure.cachingMode ? { cachingmode: azure.cachingMode } : {}),
      ...(azure.fsType == null ? {} : { fstype: azure.fsType }),
    };
    return { driver: 'disk.csi.azure.com', volumeHandle: azure.diskURI, ...details(azure), volumeAttributes };
  }
  if (cinder)
    return { driver: 'cinder.csi.openstack.org', volumeHandle: cinder.volumeID, ...details(cinder) };
  if (vsphere) {
    const policy = vsphere.storagePolicyName;
    return {
      driver: 'csi.vsphere.vmware.com',
      volumeHandle: vsphere.volumePath,
      ...details({ fsType: vsphere.fsType }),
      ...(policy ? { volumeAttributes: { storagepolicyname: policy } } : {}),
    };
  }
  if (!portworx) return undefined;
  const { volumeID: volumeHandle, fsType } = portworx;
  return { driver: 'pxd.portworx.com', volumeHandle, ...details({ fsType }) };
}

const details = ({ readOnly, fsType }: { readOnly?: boolean | null; fsType?: string | null }) => ({
  ...(readOnly ? { readOnly } : {}),
  ...(fsType ? { fsType } : {}),
});

/** `aws://zone/vol-1` stands for `vol-1`. */
function ebsVolume(id: string): string | undefined {
  if (!id.startsWith('aws://')) return id;
  const path = id
    .slice('aws://'.length)
    .replace(/^[^/]*/, '')
    .replaceAll(/^\/+|\/+$/g, '');
  return /^vol-[^/]*$/.test(path) ? path : undefined;
}

const gceNowhere = 'zones/UNSPECIFIED';

/** Returns a zone, or the common region of several; undefined if they have none in common. */
function gcePlace(labels: Readonly<Record<string, string>>): string | undefined {
  const label = labels['failure-domain.beta.kubernetes.io/zone'] || labels['topology.kubernetes.io/zone'];
  if (!label) return gceNowhere;
  const zones = label.split('__');
  if (zones.length === 1) return `zones/${label}`;
  const regions = new Set(zones.map((zone) => zone.split('-').slice(0, 2).join('-')));
  const [region] = regions;
  return regions.size === 1 && zones.every((zone) => zone.split('-').length === 3)
    ? `regions/${region}`
    : undefined;
}

function gceDisk(disk: NonNullable<VolumeSource['gcePersistentDisk']>, place: string): CsiSource {
  return {
    driver: 'pd.csi.storage.gke.io',
    volumeHandle: `projects/UNSPECIFIED/${place}/disks/${disk.pdName}`,
    ...details(disk),
    volumeAttributes: { partition: disk.partition ? String(disk.partition) : '' },
  };
}

function azureFile(
  { secretName, shareName, readOnly }: { secretName: string; shareName: string; readOnly?: boolean },
  group: string,
  volume: string,
  namespace: string,
): CsiSource {
  const account = /azure-storage-account-(.+)-secret/.exec(secretName)?.[1] ?? secretName;
  return {
    driver: 'file.csi.azure.com',
    volumeHandle: [group, account, shareName, volume, namespace].join('#'),
    ...details({ readOnly }),
    volumeAttributes: { sharename: shareName },
    nodeStageSecretRef: { name: secretName, namespace },
  };
}
