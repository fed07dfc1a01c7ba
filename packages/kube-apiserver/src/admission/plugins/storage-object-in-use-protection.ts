import type { AdmissionPlugin } from '@coxswain/apiserver';
import { groupResourceOf, on } from '../attributes.ts';

/** Finalizers that keep storage objects until nobody uses them any more. */
const finalizers: Readonly<Record<string, string>> = {
  'persistentvolumes.': 'kubernetes.io/pv-protection',
  'persistentvolumeclaims.': 'kubernetes.io/pvc-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: on('CREATE'),
  mutate(attributes) {
    const { group, resource } = groupResourceOf(attributes);
    const finalizer = finalizers[`${resource}.${group}`];
    if (finalizer === undefined || attributes.subresource !== '' || attributes.object === undefined) return;
    const { metadata } = attributes.object;
    if (metadata.finalizers?.includes(finalizer)) return;
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
  },
};
