import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { TypedLocalObjectReference } from './typed-local-object-reference.ts';

export const VolumeResourceRequirements = t.struct('core/v1.VolumeResourceRequirements', {
  limits: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  requests: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface VolumeResourceRequirements extends t.Static<typeof VolumeResourceRequirements> {}

export const TypedObjectReference = t.struct('core/v1.TypedObjectReference', {
  apiGroup: t.nullable(1, t.string, { go: 'APIGroup' }),
  kind: t.always(2, t.string, { required: true }),
  name: t.always(3, t.string, { required: true }),
  namespace: t.pointer(4, t.string),
});
export interface TypedObjectReference extends t.Static<typeof TypedObjectReference> {}

export const PersistentVolumeClaimSpec = t.struct('core/v1.PersistentVolumeClaimSpec', {
  accessModes: t.optional(
    1,
    t.atomicList(
      t.named(
        'v1.PersistentVolumeAccessMode',
        t.oneOf(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
      ),
    ),
  ),
  selector: t.pointer(4, LabelSelector),
  resources: t.optional(2, VolumeResourceRequirements),
  volumeName: t.optional(3, t.string),
  storageClassName: t.pointer(5, t.string),
  volumeMode: t.pointer(6, t.named('v1.PersistentVolumeMode', t.oneOf(['Block', 'Filesystem'])), {
    default: 'Filesystem',
  }),
  dataSource: t.pointer(7, TypedLocalObjectReference),
  dataSourceRef: t.pointer(8, TypedObjectReference),
  volumeAttributesClassName: t.pointer(9, t.string, { gate: 'VolumeAttributesClass' }),
});
export interface PersistentVolumeClaimSpec extends t.Static<typeof PersistentVolumeClaimSpec> {}
