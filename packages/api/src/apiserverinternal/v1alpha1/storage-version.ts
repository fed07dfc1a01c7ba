import {
  always,
  int64,
  kind,
  listMap,
  listSet,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { validateStorageVersion, validateStorageVersionStatus } from '../storage-version-validation.ts';
import { storageVersionColumns } from './storage-version-columns.ts';

export const ServerStorageVersion = struct('apiserverinternal/v1alpha1.ServerStorageVersion', {
  apiServerID: optional(1, string, { required: true, go: 'APIServerID' }),
  encodingVersion: optional(2, string, { required: true }),
  decodableVersions: optional(3, listSet(string), { required: true }),
  servedVersions: optional(4, listSet(string)),
});
export interface ServerStorageVersion extends Static<typeof ServerStorageVersion> {}

export const StorageVersionSpec = struct('apiserverinternal/v1alpha1.StorageVersionSpec', {});
export interface StorageVersionSpec extends Static<typeof StorageVersionSpec> {}

export const StorageVersionCondition = struct('apiserverinternal/v1alpha1.StorageVersionCondition', {
  type: always(1, named('v1alpha1.StorageVersionConditionType', string), { required: true }),
  status: always(2, named('v1alpha1.ConditionStatus', string), { required: true }),
  observedGeneration: optional(3, int64),
  lastTransitionTime: optional(4, time),
  reason: always(5, string, { required: true }),
  message: optional(6, string, { required: true }),
});
export interface StorageVersionCondition extends Static<typeof StorageVersionCondition> {}

export const StorageVersionStatus = struct('apiserverinternal/v1alpha1.StorageVersionStatus', {
  storageVersions: optional(1, listMap(ServerStorageVersion, ['apiServerID'])),
  commonEncodingVersion: pointer(2, string),
  conditions: optional(3, listMap(StorageVersionCondition, ['type'])),
});
export interface StorageVersionStatus extends Static<typeof StorageVersionStatus> {}

export const StorageVersion = kind(
  'apiserverinternal/v1alpha1.StorageVersion',
  'internal.apiserver.k8s.io/v1alpha1',
  { plural: 'storageversions', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { required: true, go: 'ObjectMeta' }),
    spec: always(2, StorageVersionSpec),
    status: always(3, StorageVersionStatus),
  },
  {
    validate: validateStorageVersion,
    validateStatus: validateStorageVersionStatus,
    columns: storageVersionColumns,
  },
);
export interface StorageVersion extends Static<typeof StorageVersion> {}
