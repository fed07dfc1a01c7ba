import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { DownwardAPIVolumeFile } from './downward-api-volume-file.ts';
import { KeyToPath } from './key-to-path.ts';
import { LocalObjectReference } from './local-object-reference.ts';

export const ClusterTrustBundleProjection = t.struct('core/v1.ClusterTrustBundleProjection', {
  name: t.pointer(1, t.string),
  signerName: t.pointer(2, t.string),
  labelSelector: t.pointer(3, LabelSelector),
  optional: t.pointer(5, t.bool),
  path: t.always(4, t.string, { required: true }),
});
export interface ClusterTrustBundleProjection extends t.Static<typeof ClusterTrustBundleProjection> {}

export const ConfigMapProjection = t.struct('core/v1.ConfigMapProjection', {
  localObjectReference: t.embedded(1, LocalObjectReference),
  items: t.optional(2, t.atomicList(KeyToPath)),
  optional: t.pointer(4, t.bool),
});
export interface ConfigMapProjection extends t.Static<typeof ConfigMapProjection> {}

export const DownwardAPIProjection = t.struct('core/v1.DownwardAPIProjection', {
  items: t.optional(1, t.atomicList(DownwardAPIVolumeFile)),
});
export interface DownwardAPIProjection extends t.Static<typeof DownwardAPIProjection> {}

export const PodCertificateProjection = t.struct('core/v1.PodCertificateProjection', {
  signerName: t.optional(1, t.string, { required: true }),
  keyType: t.optional(2, t.string, { required: true }),
  maxExpirationSeconds: t.pointer(3, t.int32),
  credentialBundlePath: t.optional(4, t.string),
  keyPath: t.optional(5, t.string),
  certificateChainPath: t.optional(6, t.string),
  userAnnotations: t.optional(7, t.map(t.string)),
});
export interface PodCertificateProjection extends t.Static<typeof PodCertificateProjection> {}

export const SecretProjection = t.struct('core/v1.SecretProjection', {
  localObjectReference: t.embedded(1, LocalObjectReference),
  items: t.optional(2, t.atomicList(KeyToPath)),
  optional: t.pointer(4, t.bool),
});
export interface SecretProjection extends t.Static<typeof SecretProjection> {}

export const ServiceAccountTokenProjection = t.struct('core/v1.ServiceAccountTokenProjection', {
  audience: t.optional(1, t.string),
  expirationSeconds: t.pointer(2, t.int64, { default: 3600 }),
  path: t.always(3, t.string, { required: true }),
});
export interface ServiceAccountTokenProjection extends t.Static<typeof ServiceAccountTokenProjection> {}

export const VolumeProjection = t.struct('core/v1.VolumeProjection', {
  secret: t.pointer(1, SecretProjection),
  downwardAPI: t.pointer(2, DownwardAPIProjection),
  configMap: t.pointer(3, ConfigMapProjection),
  serviceAccountToken: t.pointer(4, ServiceAccountTokenProjection),
  clusterTrustBundle: t.pointer(5, ClusterTrustBundleProjection, { gate: 'ClusterTrustBundleProjection' }),
  podCertificate: t.pointer(6, PodCertificateProjection, { gate: 'PodCertificateRequest' }),
});
export interface VolumeProjection extends t.Static<typeof VolumeProjection> {}
