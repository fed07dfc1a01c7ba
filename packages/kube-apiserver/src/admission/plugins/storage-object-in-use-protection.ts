import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { groupResourceOf, on } from '../attributes.ts';

/** Finalizers that keep storage objects while they are in use. */
const finalizers: Readonly<Record<string, string>> = {
  'persistentvolumes.': 'kubernetes.io/pv-protection',
  'persistentvolumeclaims.': 'kubernetes.io/pvc-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

const gates: Readonly<Record<string, string>> = {
  'volumeattributesclasses.storage.k8s.io': 'VolumeAttributesClass',
};

export const storageObjectInUseProtection = ({ enabled }: FeatureGates): AdmissionPlugin => ({
  name: 'StorageObjectInUseProtection',
  handles: on('CREATE'),
  changesInPlace: false,
  mutate(attributes) {
    const { group, resource } = groupResourceOf(attributes);
    const key = `${resource}.${group}`;
    const finalizer = finalizers[key];
    if (finalizer === undefined || attributes.subresource !== '' || attributes.object === undefined) return;
    if (gates[key] !== undefined && !enabled(gates[key])) return;
    const { metadata } = attributes.object;
    if (metadata.finalizers?.includes(finalizer)) return;
    const protectedBy = [...(metadata.finalizers ?? []), finalizer];
    attributes.object = { ...attributes.object, metadata: { ...metadata, finalizers: protectedBy } };
  },
});
