import {
  always,
  atomicList,
  bool,
  embedded,
  int32,
  int64,
  map,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { DownwardAPIVolumeFile } from './downward-api-volume-file.ts';
import { KeyToPath } from './key-to-path.ts';
import { LocalObjectReference } from './local-object-reference.ts';

export const ClusterTrustBundleProjection = struct('core/v1.ClusterTrustBundleProjection', {
  name: pointer(1, string),
  signerName: pointer(2, string),
  labelSelector: pointer(3, LabelSelector),
  optional: pointer(5, bool),
  path: always(4, string, { required: true }),
});
export interface ClusterTrustBundleProjection extends Static<typeof ClusterTrustBundleProjection> {}

export const ConfigMapProjection = struct('core/v1.ConfigMapProjection', {
  localObjectReference: embedded(1, LocalObjectReference),
  items: optional(2, atomicList(KeyToPath)),
  optional: pointer(4, bool),
});
export interface ConfigMapProjection extends Static<typeof ConfigMapProjection> {}

export const DownwardAPIProjection = struct('core/v1.DownwardAPIProjection', {
  items: optional(1, atomicList(DownwardAPIVolumeFile)),
});
export interface DownwardAPIProjection extends Static<typeof DownwardAPIProjection> {}

export const PodCertificateProjection = struct('core/v1.PodCertificateProjection', {
  signerName: optional(1, string, { required: true }),
  keyType: optional(2, string, { required: true }),
  maxExpirationSeconds: pointer(3, int32),
  credentialBundlePath: optional(4, string),
  keyPath: optional(5, string),
  certificateChainPath: optional(6, string),
  userAnnotations: optional(7, map(string)),
});
export interface PodCertificateProjection extends Static<typeof PodCertificateProjection> {}

export const SecretProjection = struct('core/v1.SecretProjection', {
  localObjectReference: embedded(1, LocalObjectReference),
  items: optional(2, atomicList(KeyToPath)),
  optional: pointer(4, bool),
});
export interface SecretProjection extends Static<typeof SecretProjection> {}

export const ServiceAccountTokenProjection = struct('core/v1.ServiceAccountTokenProjection', {
  audience: optional(1, string),
  expirationSeconds: pointer(2, int64, { default: 3600 }),
  path: always(3, string, { required: true }),
});
export interface ServiceAccountTokenProjection extends Static<typeof ServiceAccountTokenProjection> {}

export const VolumeProjection = struct('core/v1.VolumeProjection', {
  secret: pointer(1, SecretProjection),
  downwardAPI: pointer(2, DownwardAPIProjection),
  configMap: pointer(3, ConfigMapProjection),
  serviceAccountToken: pointer(4, ServiceAccountTokenProjection),
  clusterTrustBundle: pointer(5, ClusterTrustBundleProjection, { gate: 'ClusterTrustBundleProjection' }),
  podCertificate: pointer(6, PodCertificateProjection, { gate: 'PodCertificateRequest' }),
});
export interface VolumeProjection extends Static<typeof VolumeProjection> {}
