/** Formats a struct as upstream prints it in a message: JSON with the names of all Go fields, set or not. */

import { goJson, PrintedValue } from '@coxswain/apimachinery';
import { resolved, wasSentEmpty, type Field, type Type } from '@coxswain/schema';
import { unifiedDiff } from './unified-diff.ts';

export const goStruct = (type: Type, value: unknown): PrintedValue =>
  new PrintedValue(goJson(withGoNames(type, value)));

/** The same for a list of structs. */
export const goStructs = (element: Type, values: readonly unknown[] | null | undefined): PrintedValue =>
  new PrintedValue(goJson(values == null ? null : values.map((value) => withGoNames(element, value))));

/** The members under their Go names, not yet formatted. */
export function withGoNames(type: Type, value: unknown): unknown {
  const actual = resolved(type);
  if (value === undefined || value === null) return actual.form === 'struct' ? withGoNames(type, {}) : null;
  if (actual.form === 'list') return (value as unknown[]).map((item) => withGoNames(actual.element, item));
  if (actual.form === 'map') {
    const sorted = Object.keys(value).sort();
    return Object.fromEntries(sorted.map((key) => [key, withGoNames(actual.value, (value as Members)[key])]));
  }
  if (actual.form === 'scalar') return value;
  if (actual.name.startsWith('meta/v1.')) return value;
  const printed: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(actual.fields)) {
    if (field.presence === 'embedded') Object.assign(printed, withGoNames(field.type, value));
    else if (field.go === 'ObjectMeta') Object.assign(printed, (value as Members)[name]);
    else {
      const isEmpty = wasSentEmpty(value, name);
      printed[field.go ?? capitalized(name)] = printedMember(field, (value as Members)[name], isEmpty);
    }
  }
  const order = fieldOrders.get(actual.name);
  return order === undefined ? printed : Object.fromEntries(order.map((name) => [name, printed[name]]));
}

/** Structs whose fields have another order in upstream's internal type than in its API. */
const fieldOrders: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'core/v1.SecurityContext',
    [
      'Capabilities',
      'Privileged',
      'SELinuxOptions',
      'WindowsOptions',
      'RunAsUser',
      'RunAsGroup',
      'RunAsNonRoot',
      'ReadOnlyRootFilesystem',
      'AllowPrivilegeEscalation',
      'ProcMount',
      'SeccompProfile',
      'AppArmorProfile',
    ],
  ],
  [
    'core/v1.PersistentVolumeSource',
    [
      'GCEPersistentDisk',
      'AWSElasticBlockStore',
      'HostPath',
      'Glusterfs',
      'NFS',
      'RBD',
      'Quobyte',
      'ISCSI',
      'FlexVolume',
      'Cinder',
      'CephFS',
      'FC',
      'Flocker',
      'AzureFile',
      'VsphereVolume',
      'AzureDisk',
      'PhotonPersistentDisk',
      'PortworxVolume',
      'ScaleIO',
      'Local',
      'StorageOS',
      'CSI',
    ],
  ],
  [
    'core/v1.VolumeSource',
    [
      'HostPath',
      'EmptyDir',
      'GCEPersistentDisk',
      'AWSElasticBlockStore',
      'GitRepo',
      'Secret',
      'NFS',
      'ISCSI',
      'Glusterfs',
      'PersistentVolumeClaim',
      'RBD',
      'Quobyte',
      'FlexVolume',
      'Cinder',
      'CephFS',
      'Flocker',
      'DownwardAPI',
      'FC',
      'AzureFile',
      'ConfigMap',
      'VsphereVolume',
      'AzureDisk',
      'PhotonPersistentDisk',
      'Projected',
      'PortworxVolume',
      'ScaleIO',
      'StorageOS',
      'CSI',
      'Ephemeral',
      'Image',
    ],
  ],
]);

/** A unified diff of two structs as upstream prints them: JSON, indented by one. */
export const goStructDiff = (type: Type, before: unknown, after: unknown): string =>
  unifiedDiff(indented(withGoNames(type, before)), indented(withGoNames(type, after)));

export const indented = (value: unknown): string => goJson(value, 1);

type Members = Readonly<Record<string, unknown>>;

/** Go distinguishes a list or map that was sent empty from an absent one. */
function printedMember(field: Field, value: unknown, isEmpty: boolean): unknown {
  if (value !== undefined && value !== null) return withGoNames(field.type, value);
  if (field.presence === 'pointer' || field.presence === 'nullable') return null;
  const actual = resolved(field.type);
  if (actual.form === 'struct') return actual.name.startsWith('meta/v1.') ? {} : withGoNames(actual, {});
  if (actual.form === 'scalar') return actual.scalar in zeroes ? zeroes[actual.scalar] : '';
  if (!isEmpty) return null;
  return actual.form === 'list' ? [] : {};
}

const zeroes: Readonly<Record<string, unknown>> = {
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  intOrString: 0,
  quantity: '0',
  bytes: null,
  time: null,
  microTime: null,
  any: null,
  rawExtension: null,
};

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
