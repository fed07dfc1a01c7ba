import * as t from '@coxswain/schema';

export const ServerStorageVersion = t.struct('apiserverinternal/v1alpha1.ServerStorageVersion', {
  apiServerID: t.optional(1, t.string, { required: true, go: 'APIServerID' }),
  encodingVersion: t.optional(2, t.string, { required: true }),
  decodableVersions: t.optional(3, t.listSet(t.string), { required: true }),
  servedVersions: t.optional(4, t.listSet(t.string)),
});
export interface ServerStorageVersion extends t.Static<typeof ServerStorageVersion> {}

export const StorageVersionCondition = t.struct('apiserverinternal/v1alpha1.StorageVersionCondition', {
  type: t.always(1, t.named('v1alpha1.StorageVersionConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1alpha1.ConditionStatus', t.string), { required: true }),
  observedGeneration: t.optional(3, t.int64),
  lastTransitionTime: t.optional(4, t.time),
  reason: t.always(5, t.string, { required: true }),
  message: t.optional(6, t.string, { required: true }),
});
export interface StorageVersionCondition extends t.Static<typeof StorageVersionCondition> {}

export const StorageVersionStatus = t.struct('apiserverinternal/v1alpha1.StorageVersionStatus', {
  storageVersions: t.optional(1, t.listMap(ServerStorageVersion, ['apiServerID'])),
  commonEncodingVersion: t.pointer(2, t.string),
  conditions: t.optional(3, t.listMap(StorageVersionCondition, ['type'])),
});
export interface StorageVersionStatus extends t.Static<typeof StorageVersionStatus> {}
