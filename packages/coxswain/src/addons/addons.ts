/**
 * What clusters usually have in addition to Kubernetes itself: a storage class, addresses for services, an ingress
 * class.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { applyAddons, type Addon } from '../components/addon.ts';
import type { Component } from '../components/components.ts';
import type { AddonName } from './addon-names.ts';
import { assignServiceAddresses } from './service-addresses.ts';
import { provisionVolumes, volumeProvisioner } from './volume-provisioner.ts';
import type { AddonParts } from './addon-parts.ts';

/** For simulated nodes: volumes are objects without a disk, and nothing answers at the addresses. */
export const addonsComponent = (
  addons: readonly AddonName[],
  partsUntil: (signal: AbortSignal) => AddonParts,
): readonly Component[] =>
  addons.length === 0
    ? []
    : [
        {
          name: 'addons',
          start(signal) {
            const parts = partsUntil(signal);
            if (addons.includes('storage')) provisionVolumes(parts);
            if (addons.includes('load-balancers')) assignServiceAddresses(parts);
            const ready = applyAddons(
              parts.client,
              addons.flatMap((addon) => objects[addon] ?? []),
            );
            return { ready, stopped: ready.catch(() => undefined) };
          },
        },
      ];

const objects: Readonly<Partial<Record<AddonName, readonly Addon[]>>> = {
  storage: [
    {
      apiVersion: 'storage.k8s.io/v1',
      resource: 'storageclasses',
      object: {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: {
          name: 'standard',
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
        provisioner: volumeProvisioner,
        reclaimPolicy: 'Delete',
        volumeBindingMode: 'Immediate',
        allowVolumeExpansion: true,
      } as KubeObject,
    },
  ],
  'ingress-class': [
    {
      apiVersion: 'networking.k8s.io/v1',
      resource: 'ingressclasses',
      object: {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IngressClass',
        metadata: {
          name: 'simulated',
          annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' },
        },
        spec: { controller: 'sim.coxswain.io/ingress' },
      } as KubeObject,
    },
  ],
};
