/** Validates volume sources: those that pods and persistent volumes share, and the specific ones of each. */

import { checkDnsLabel, checkDnsSubdomain, type FieldPath } from '@coxswain/apimachinery';
import { check, inRange, requireMember, type Errors } from '../../../meta/checks.ts';
import type { KeyToPath } from '../key-to-path.ts';
import { fileMode, localDescendingPath, localNonReservedPath, noBacksteps } from '../pod/path-validation.ts';
import type * as source from '../volume-sources.ts';

/** A validator for each source that both pods and persistent volumes have, by member name. */
export type SourceCheck<S> = (source: S, path: FieldPath, errors: Errors) => void;

export const hostPath: SourceCheck<source.HostPathVolumeSource> = (host, path, errors) => {
  if (!host.path) {
    errors.required(path.child('path'));
    return;
  }
  noBacksteps(host.path, path.child('path'), errors);
  if (host.type != null && !hostPathTypes.includes(host.type)) {
    errors.notSupported(path.child('type'), host.type, hostPathTypes);
  }
};

const hostPathTypes: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export const gitRepo: SourceCheck<source.GitRepoVolumeSource> = (git, path, errors) => {
  requireMember(git.repository, path, 'repository', errors);
  localDescendingPath(git.directory ?? '', path.child('directory'), errors);
};

export const gcePersistentDisk: SourceCheck<source.GCEPersistentDiskVolumeSource> = (disk, path, errors) => {
  requireMember(disk.pdName, path, 'pdName', errors);
  partition(disk.partition, path, errors);
};

export const awsElasticBlockStore: SourceCheck<source.AWSElasticBlockStoreVolumeSource> = (
  disk,
  path,
  errors,
) => {
  requireMember(disk.volumeID, path, 'volumeID', errors);
  partition(disk.partition, path, errors);
};

/** Zero means unset; the message says from one. */
function partition(number: number | undefined, path: FieldPath, errors: Errors): void {
  if ((number ?? 0) < 0 || (number ?? 0) > 255) {
    errors.invalid(path.child('partition'), number, 'must be between 1 and 255, inclusive');
  }
}

export const nfs: SourceCheck<source.NFSVolumeSource> = (share, path, errors) => {
  requireMember(share.server, path, 'server', errors);
  requireMember(share.path, path, 'path', errors);
  if (!(share.path ?? '').startsWith('/')) {
    errors.invalid(path.child('path'), share.path ?? '', 'must be an absolute path');
  }
};

interface Iscsi {
  targetPortal: string;
  iqn: string;
  lun: number;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: { name?: string };
  initiatorName?: string;
}

/** For a pod's volume; the caller checks the name's length. */
export const iscsi: SourceCheck<Iscsi> = (target, path, errors) =>
  validateIscsi(target, path, 'must be valid format starting with iqn, eui, or naa', errors);

export const iscsiTooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

export function iscsiOfPersistentVolume(
  target: Iscsi,
  volumeName: string,
  path: FieldPath,
  errors: Errors,
): void {
  validateIscsi(target, path, 'must be valid format', errors, volumeName);
}

function validateIscsi(
  target: Iscsi,
  path: FieldPath,
  prefixMessage: string,
  errors: Errors,
  volumeName?: string,
): void {
  requireMember(target.targetPortal, path, 'targetPortal', errors);
  if (
    volumeName !== undefined &&
    target.initiatorName != null &&
    `${volumeName}:${target.targetPortal}`.length > 64
  ) {
    errors.invalid(path.child('targetportal'), target.targetPortal, iscsiTooLong);
  }
  if (!target.iqn) errors.required(path.child('iqn'));
  else initiator(target.iqn, path, 'iqn', prefixMessage, errors);
  inRange(target.lun ?? 0, 0, 255, path, 'lun', errors);
  if ((target.chapAuthDiscovery || target.chapAuthSession) && target.secretRef == null) {
    errors.required(path.child('secretRef'));
  }
  if (volumeName !== undefined && target.secretRef != null && !target.secretRef.name) {
    errors.required(path.child('secretRef', 'name'));
  }
  if (target.initiatorName != null)
    initiator(target.initiatorName, path, 'initiatorname', prefixMessage, errors);
}

const initiatorPatterns = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([\dA-Za-z\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[\dA-Za-z]{16}$/],
  ['naa', /^naa.[\dA-Za-z]{32}$/],
] as const;

function initiator(
  name: string,
  path: FieldPath,
  member: string,
  prefixMessage: string,
  errors: Errors,
): void {
  const rule = initiatorPatterns.find(([prefix]) => name.startsWith(prefix));
  if (rule === undefined) errors.invalid(path.child(member), name, prefixMessage);
  else if (!rule[1].test(name)) errors.invalid(path.child(member), name, 'must be valid format');
}

export const glusterfs: SourceCheck<{ endpoints: string; path: string; endpointsNamespace?: string }> = (
  cluster,
  path,
  errors,
) => {
  requireMember(cluster.endpoints, path, 'endpoints', errors);
  requireMember(cluster.path, path, 'path', errors);
  if (cluster.endpointsNamespace == null) return;
  const namespacePath = path.child('endpointsNamespace');
  if (cluster.endpointsNamespace === '') {
    errors.invalid(namespacePath, '', 'if the endpointnamespace is set, it must be a valid namespace name');
  } else {
    check(cluster.endpointsNamespace, namespacePath, checkDnsLabel, errors);
  }
};

export const flocker: SourceCheck<source.FlockerVolumeSource> = (dataset, path, errors) => {
  if (!dataset.datasetName && !dataset.datasetUUID) {
    errors.required(path, 'one of datasetName and datasetUUID is required');
  }
  if (dataset.datasetName && dataset.datasetUUID) {
    errors.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (dataset.datasetName?.includes('/')) {
    errors.invalid(path.child('datasetName'), dataset.datasetName, "must not contain '/'");
  }
};

export const rbd: SourceCheck<{ monitors: string[]; image: string }> = (image, path, errors) => {
  if ((image.monitors ?? []).length === 0) errors.required(path.child('monitors'));
  requireMember(image.image, path, 'image', errors);
};

export const cinder: SourceCheck<{ volumeID: string; secretRef?: { name?: string } }> = (
  disk,
  path,
  errors,
) => {
  requireMember(disk.volumeID, path, 'volumeID', errors);
  if (disk.secretRef != null && !disk.secretRef.name) errors.required(path.child('secretRef', 'name'));
};

export const cephfs: SourceCheck<{ monitors: string[] }> = (file, path, errors) => {
  if ((file.monitors ?? []).length === 0) errors.required(path.child('monitors'));
};

const pairsMessage = 'must be a host:port pair or multiple pairs separated by commas';

export const quobyte: SourceCheck<source.QuobyteVolumeSource> = (volume, path, errors) => {
  if (!volume.registry) errors.required(path.child('registry'), pairsMessage);
  else if ((volume.tenant ?? '').length >= 65) {
    errors.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of volume.registry.split(',')) {
      if (!/^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair)) {
        errors.invalid(path.child('registry'), volume.registry, pairsMessage);
      }
    }
  }
  requireMember(volume.volume, path, 'volume', errors);
};

export const fc: SourceCheck<source.FCVolumeSource> = (channel, path, errors) => {
  const targets = channel.targetWWNs ?? [];
  const ids = channel.wwids ?? [];
  if (targets.length === 0 && ids.length === 0) {
    errors.required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both');
  }
  if (targets.length > 0 && ids.length > 0) {
    errors.invalid(
      path.child('targetWWNs'),
      targets,
      'targetWWNs and wwids can not be specified simultaneously',
    );
  }
  if (targets.length === 0) return;
  if (channel.lun == null) errors.required(path.child('lun'), 'lun is required if targetWWNs is specified');
  else inRange(channel.lun, 0, 255, path, 'lun', errors);
};

export const flexVolume: SourceCheck<{ driver: string; options?: Record<string, string> }> = (
  flex,
  path,
  errors,
) => {
  requireMember(flex.driver, path, 'driver', errors);
  for (const option in flex.options) {
    const domain = `.${option.split('/', 1)[0]!.toLowerCase()}`;
    if (domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io')) {
      errors.invalid(
        path.child('options').key(option),
        option,
        'kubernetes.io and k8s.io namespaces are reserved',
      );
    }
  }
};

export const azureFile: SourceCheck<{
  secretName: string;
  shareName: string;
  secretNamespace?: string | null;
}> = (file, path, errors) => {
  requireMember(file.secretName, path, 'secretName', errors);
  requireMember(file.shareName, path, 'shareName', errors);
  if (file.secretNamespace === '') errors.required(path.child('secretNamespace'));
};

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managedDiskUri =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDiskUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export const azureDisk: SourceCheck<source.AzureDiskVolumeSource> = (disk, path, errors) => {
  requireMember(disk.diskName, path, 'diskName', errors);
  requireMember(disk.diskURI, path, 'diskURI', errors);
  if (disk.cachingMode != null && !cachingModes.includes(disk.cachingMode)) {
    errors.notSupported(path.child('cachingMode'), disk.cachingMode, cachingModes);
  }
  if (disk.kind == null) return;
  if (!diskKinds.includes(disk.kind)) errors.notSupported(path.child('kind'), disk.kind, diskKinds);
  const uri = disk.diskURI ?? '';
  if (disk.kind === 'Managed' && !uri.startsWith('/subscriptions/')) {
    errors.notSupported(path.child('diskURI'), uri, [managedDiskUri]);
  }
  if (disk.kind !== 'Managed' && !uri.startsWith('https://')) {
    errors.notSupported(path.child('diskURI'), uri, [blobDiskUri]);
  }
};

export const vsphereVolume: SourceCheck<source.VsphereVirtualDiskVolumeSource> = (disk, path, errors) =>
  requireMember(disk.volumePath, path, 'volumePath', errors);

export const photonPersistentDisk: SourceCheck<source.PhotonPersistentDiskVolumeSource> = (
  disk,
  path,
  errors,
) => requireMember(disk.pdID, path, 'pdID', errors);

export const portworxVolume: SourceCheck<source.PortworxVolumeSource> = (volume, path, errors) =>
  requireMember(volume.volumeID, path, 'volumeID', errors);

export const scaleIO: SourceCheck<{ gateway: string; system: string; volumeName?: string }> = (
  volume,
  path,
  errors,
) => {
  requireMember(volume.gateway, path, 'gateway', errors);
  requireMember(volume.system, path, 'system', errors);
  requireMember(volume.volumeName, path, 'volumeName', errors);
};

export const storageos: SourceCheck<{
  volumeName?: string;
  volumeNamespace?: string;
  secretRef?: { name?: string };
}> = (volume, path, errors) => {
  if (!volume.volumeName) errors.required(path.child('volumeName'));
  else check(volume.volumeName, path.child('volumeName'), checkDnsLabel, errors);
  if (volume.volumeNamespace)
    check(volume.volumeNamespace, path.child('volumeNamespace'), checkDnsLabel, errors);
  if (volume.secretRef != null && !volume.secretRef.name) errors.required(path.child('secretRef', 'name'));
};

/** Names of CSI drivers, case-insensitive. */
export function csiDriverName(name: string, path: FieldPath, errors: Errors): void {
  if (!name) {
    errors.required(path);
    return;
  }
  if (name.length > 63) errors.tooLong(path, 63);
  for (const message of checkDnsSubdomain(name.toLowerCase())) errors.invalid(path, name, message);
}

export function keyToPath(item: KeyToPath, path: FieldPath, errors: Errors): void {
  requireMember(item.key, path, 'key', errors);
  requireMember(item.path, path, 'path', errors);
  localNonReservedPath(item.path ?? '', path.child('path'), errors);
  fileMode(item.mode, path, 'mode', errors);
}

/** The error of a second source. */
export function onlyOneType(path: FieldPath, errors: Errors): void {
  errors.forbidden(path, 'may not specify more than 1 volume type');
}
