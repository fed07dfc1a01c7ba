import { always, bool, embedded, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectFieldSelector } from './object-field-selector.ts';
import { ResourceFieldSelector } from './resource-field-selector.ts';

export const ConfigMapEnvSource = struct('core/v1.ConfigMapEnvSource', {
  localObjectReference: embedded(1, LocalObjectReference),
  optional: pointer(2, bool),
});
export interface ConfigMapEnvSource extends Static<typeof ConfigMapEnvSource> {}

export const ConfigMapKeySelector = struct(
  'core/v1.ConfigMapKeySelector',
  {
    localObjectReference: embedded(1, LocalObjectReference),
    key: always(2, string, { required: true }),
    optional: pointer(3, bool),
  },
  { atomic: true },
);
export interface ConfigMapKeySelector extends Static<typeof ConfigMapKeySelector> {}

export const SecretEnvSource = struct('core/v1.SecretEnvSource', {
  localObjectReference: embedded(1, LocalObjectReference),
  optional: pointer(2, bool),
});
export interface SecretEnvSource extends Static<typeof SecretEnvSource> {}

export const EnvFromSource = struct('core/v1.EnvFromSource', {
  prefix: optional(1, string),
  configMapRef: pointer(2, ConfigMapEnvSource),
  secretRef: pointer(3, SecretEnvSource),
});
export interface EnvFromSource extends Static<typeof EnvFromSource> {}

export const SecretKeySelector = struct(
  'core/v1.SecretKeySelector',
  {
    localObjectReference: embedded(1, LocalObjectReference),
    key: always(2, string, { required: true }),
    optional: pointer(3, bool),
  },
  { atomic: true },
);
export interface SecretKeySelector extends Static<typeof SecretKeySelector> {}

export const FileKeySelector = struct(
  'core/v1.FileKeySelector',
  {
    volumeName: always(1, string, { required: true }),
    path: always(2, string, { required: true }),
    key: always(3, string, { required: true }),
    optional: pointer(4, bool, { default: false, defaultPublished: true }),
  },
  { atomic: true },
);
export interface FileKeySelector extends Static<typeof FileKeySelector> {}

export const EnvVarSource = struct('core/v1.EnvVarSource', {
  fieldRef: pointer(1, ObjectFieldSelector),
  resourceFieldRef: pointer(2, ResourceFieldSelector),
  configMapKeyRef: pointer(3, ConfigMapKeySelector),
  secretKeyRef: pointer(4, SecretKeySelector),
  fileKeyRef: pointer(5, FileKeySelector, { gate: 'EnvFiles' }),
});
export interface EnvVarSource extends Static<typeof EnvVarSource> {}

export const EnvVar = struct('core/v1.EnvVar', {
  name: always(1, string, { required: true }),
  value: optional(2, string),
  valueFrom: pointer(3, EnvVarSource),
});
export interface EnvVar extends Static<typeof EnvVar> {}
