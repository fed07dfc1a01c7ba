import * as t from '@coxswain/schema';
import { LocalObjectReference } from './local-object-reference.ts';
import { ObjectFieldSelector } from './object-field-selector.ts';
import { ResourceFieldSelector } from './resource-field-selector.ts';

export const ConfigMapEnvSource = t.struct('core/v1.ConfigMapEnvSource', {
  localObjectReference: t.embedded(1, LocalObjectReference),
  optional: t.pointer(2, t.bool),
});
export interface ConfigMapEnvSource extends t.Static<typeof ConfigMapEnvSource> {}

export const ConfigMapKeySelector = t.struct(
  'core/v1.ConfigMapKeySelector',
  {
    localObjectReference: t.embedded(1, LocalObjectReference),
    key: t.always(2, t.string, { required: true }),
    optional: t.pointer(3, t.bool),
  },
  { atomic: true },
);
export interface ConfigMapKeySelector extends t.Static<typeof ConfigMapKeySelector> {}

export const SecretEnvSource = t.struct('core/v1.SecretEnvSource', {
  localObjectReference: t.embedded(1, LocalObjectReference),
  optional: t.pointer(2, t.bool),
});
export interface SecretEnvSource extends t.Static<typeof SecretEnvSource> {}

export const EnvFromSource = t.struct('core/v1.EnvFromSource', {
  prefix: t.optional(1, t.string),
  configMapRef: t.pointer(2, ConfigMapEnvSource),
  secretRef: t.pointer(3, SecretEnvSource),
});
export interface EnvFromSource extends t.Static<typeof EnvFromSource> {}

export const SecretKeySelector = t.struct(
  'core/v1.SecretKeySelector',
  {
    localObjectReference: t.embedded(1, LocalObjectReference),
    key: t.always(2, t.string, { required: true }),
    optional: t.pointer(3, t.bool),
  },
  { atomic: true },
);
export interface SecretKeySelector extends t.Static<typeof SecretKeySelector> {}

export const FileKeySelector = t.struct(
  'core/v1.FileKeySelector',
  {
    volumeName: t.always(1, t.string, { required: true }),
    path: t.always(2, t.string, { required: true }),
    key: t.always(3, t.string, { required: true }),
    optional: t.pointer(4, t.bool, { default: false, defaultPublished: true }),
  },
  { atomic: true },
);
export interface FileKeySelector extends t.Static<typeof FileKeySelector> {}

export const EnvVarSource = t.struct('core/v1.EnvVarSource', {
  fieldRef: t.pointer(1, ObjectFieldSelector),
  resourceFieldRef: t.pointer(2, ResourceFieldSelector),
  configMapKeyRef: t.pointer(3, ConfigMapKeySelector),
  secretKeyRef: t.pointer(4, SecretKeySelector),
  fileKeyRef: t.pointer(5, FileKeySelector, { gate: 'EnvFiles' }),
});
export interface EnvVarSource extends t.Static<typeof EnvVarSource> {}

export const EnvVar = t.struct('core/v1.EnvVar', {
  name: t.always(1, t.string, { required: true }),
  value: t.optional(2, t.string),
  valueFrom: t.pointer(3, EnvVarSource),
});
export interface EnvVar extends t.Static<typeof EnvVar> {}
