import {
  always,
  atomicList,
  bool,
  int64,
  kind,
  listSet,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { driverColumns } from './csi-driver-columns.ts';
import { validateDriver } from '../driver-validation.ts';
import { driverWarnings } from '../storage-warnings.ts';

export const TokenRequest = struct('storage/v1.TokenRequest', {
  audience: always(1, string, { required: true }),
  expirationSeconds: pointer(2, int64),
});
export interface TokenRequest extends Static<typeof TokenRequest> {}

export const CSIDriverSpec = struct('storage/v1.CSIDriverSpec', {
  attachRequired: pointer(1, bool, { default: true }),
  podInfoOnMount: pointer(2, bool, { default: false }),
  volumeLifecycleModes: optional(3, listSet(named('v1.VolumeLifecycleMode', string)), {
    default: ['Persistent'],
  }),
  storageCapacity: pointer(4, bool, { default: false, gate: 'CSIStorageCapacity' }),
  fsGroupPolicy: pointer(5, named('v1.FSGroupPolicy', string), {
    default: 'ReadWriteOnceWithFSType',
    go: 'FSGroupPolicy',
  }),
  tokenRequests: optional(6, atomicList(TokenRequest)),
  requiresRepublish: pointer(7, bool, { default: false }),
  seLinuxMount: pointer(8, bool, {
    default: false,
    go: 'SELinuxMount',
    gate: 'SELinuxMountReadWriteOncePod',
  }),
  nodeAllocatableUpdatePeriodSeconds: pointer(9, int64, { gate: 'MutableCSINodeAllocatableCount' }),
  serviceAccountTokenInSecrets: pointer(10, bool, { gate: 'CSIServiceAccountTokenSecrets' }),
  preventPodSchedulingIfMissing: pointer(11, bool, { gate: 'VolumeLimitScaling' }),
});
export interface CSIDriverSpec extends Static<typeof CSIDriverSpec> {}

export const CSIDriver = kind(
  'storage/v1.CSIDriver',
  'storage.k8s.io/v1',
  { plural: 'csidrivers', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CSIDriverSpec, { required: true }),
  },
  {
    validate: validateDriver,
    warnings: driverWarnings,
    columns: driverColumns,
  },
);
export interface CSIDriver extends Static<typeof CSIDriver> {}
