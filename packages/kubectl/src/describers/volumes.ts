/** Volumes of a pod or of a template: each kind is a line of a table. */
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { DescriptionText } from './text.ts';

type Source = Readonly<Record<string, unknown>>;

export type Volume = Source & { readonly name: string };

interface VolumeKind {
  readonly about: string;
  /** Label and value of each line below. */
  readonly fields: (source: Source) => readonly (readonly [string, unknown])[];
}

const optional = (source: Source): boolean => source['optional'] === true;
const bool = (value: unknown): boolean => value === true;

const kinds: Readonly<Record<string, VolumeKind>> = {
  hostPath: {
    about: 'HostPath (bare host directory volume)',
    fields: (s) => [
      ['Path', s['path']],
      ['HostPathType', s['type'] ?? '<none>'],
    ],
  },
  emptyDir: {
    about: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: (s) => [
      ['Medium', s['medium']],
      ['SizeLimit', s['sizeLimit'] ? canonicalQuantity(String(s['sizeLimit'])) : '<unset>'],
    ],
  },
  secret: {
    about: 'Secret (a volume populated by a Secret)',
    fields: (s) => [
      ['SecretName', s['secretName']],
      ['Optional', optional(s)],
    ],
  },
  configMap: {
    about: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: (s) => [
      ['Name', s['name']],
      ['Optional', optional(s)],
    ],
  },
  nfs: {
    about: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: (s) => [
      ['Server', s['server']],
      ['Path', s['path']],
      ['ReadOnly', bool(s['readOnly'])],
    ],
  },
  persistentVolumeClaim: {
    about: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: (s) => [
      ['ClaimName', s['claimName']],
      ['ReadOnly', bool(s['readOnly'])],
    ],
  },
  downwardAPI: {
    about: 'DownwardAPI (a volume populated by information about the pod)',
    fields: () => [],
  },
  csi: {
    about: 'CSI (a Container Storage Interface (CSI) volume source)',
    fields: (s) => [
      ['Driver', s['driver']],
      ['FSType', s['fsType']],
      ['ReadOnly', bool(s['readOnly'])],
    ],
  },
  iscsi: {
    about:
      "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
    fields: (s) => [
      ['TargetPortal', s['targetPortal']],
      ['IQN', s['iqn']],
      ['Lun', s['lun'] ?? 0],
      ['ISCSIInterface', s['iscsiInterface']],
      ['FSType', s['fsType']],
      ['ReadOnly', bool(s['readOnly'])],
    ],
  },
  image: {
    about: 'Image (a container image or OCI artifact)',
    fields: (s) => [
      ['Reference', s['reference']],
      ['PullPolicy', s['pullPolicy']],
    ],
  },
};

export function describeVolumes(
  text: DescriptionText,
  volumes: readonly Volume[] = [],
  nested = false,
): void {
  const space = nested ? '  ' : '';
  if (volumes.length === 0) return text.line(0, `${space}Volumes:\t<none>`);
  text.line(0, `${space}Volumes:`);
  for (const volume of volumes) {
    text.line(1, `${nested ? ' ' : ''}${volume.name}:`);
    describeSource(text, volume);
  }
}

function describeSource(text: DescriptionText, volume: Volume): void {
  if (volume['projected']) return describeProjected(text, volume['projected'] as Source);
  const key = Object.keys(kinds).find((name) => volume[name] !== undefined && volume[name] !== null);
  if (key === undefined) return text.line(1, '<unknown>');
  const kind = kinds[key] as VolumeKind;
  text.field(2, 'Type', kind.about);
  for (const [label, value] of kind.fields(volume[key] as Source)) text.field(2, label, value);
  if (key === 'downwardAPI') describeItems(text, volume[key] as Source);
}

function describeItems(text: DescriptionText, source: Source): void {
  text.line(2, 'Items:');
  for (const { path, fieldRef } of (source['items'] ?? []) as {
    path: string;
    fieldRef?: { fieldPath: string };
  }[]) {
    if (fieldRef) text.line(3, `${fieldRef.fieldPath} -> ${path}`);
  }
}

function describeProjected(text: DescriptionText, { sources = [] }: { readonly sources?: unknown }): void {
  text.field(2, 'Type', 'Projected (a volume that contains injected data from multiple sources)');
  for (const source of sources as Readonly<Record<string, Source>>[]) {
    if (source['secret']) {
      text.field(2, 'SecretName', source['secret']['name']);
      text.field(2, 'Optional', optional(source['secret']));
    } else if (source['downwardAPI']) text.field(2, 'DownwardAPI', true);
    else if (source['configMap']) {
      text.field(2, 'ConfigMapName', source['configMap']['name']);
      text.field(2, 'Optional', optional(source['configMap']));
    } else if (source['serviceAccountToken']) {
      text.field(2, 'TokenExpirationSeconds', source['serviceAccountToken']['expirationSeconds']);
    }
  }
}
