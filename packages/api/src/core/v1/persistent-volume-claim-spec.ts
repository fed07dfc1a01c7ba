import {
  always,
  atomicList,
  map,
  nullable,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { TypedLocalObjectReference } from './typed-local-object-reference.ts';

export const VolumeResourceRequirements = struct('core/v1.VolumeResourceRequirements', {
  limits: optional(1, named('v1.ResourceList', map(quantity))),
  requests: optional(2, named('v1.ResourceList', map(quantity))),
});
export interface VolumeResourceRequirements extends Static<typeof VolumeResourceRequirements> {}

export const TypedObjectReference = struct('core/v1.TypedObjectReference', {
  apiGroup: nullable(1, string, { go: 'APIGroup' }),
  kind: always(2, string, { required: true }),
  name: always(3, string, { required: true }),
  namespace: pointer(4, string),
});
export interface TypedObjectReference extends Static<typeof TypedObjectReference> {}

export const PersistentVolumeClaimSpec = struct('core/v1.PersistentVolumeClaimSpec', {
  accessModes: optional(
    1,
    atomicList(
      named(
        'v1.PersistentVolumeAccessMode',
        oneOf(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
      ),
    ),
  ),
  selector: pointer(4, LabelSelector),
  resources: optional(2, VolumeResourceRequirements),
  volumeName: optional(3, string),
  storageClassName: pointer(5, string),
  volumeMode: pointer(6, named('v1.PersistentVolumeMode', oneOf(['Block', 'Filesystem'])), {
    default: 'Filesystem',
  }),
  dataSource: pointer(7, TypedLocalObjectReference),
  dataSourceRef: pointer(8, TypedObjectReference),
  volumeAttributesClassName: pointer(9, string, { gate: 'VolumeAttributesClass' }),
});
export interface PersistentVolumeClaimSpec extends Static<typeof PersistentVolumeClaimSpec> {}
