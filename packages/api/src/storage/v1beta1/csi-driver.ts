import {
  always,
  atomicList,
  bool,
  int64,
  kind,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { driverColumns } from '../v1/csi-driver-columns.ts';

export const TokenRequest = struct('storage/v1beta1.TokenRequest', {
  audience: always(1, string),
  expirationSeconds: pointer(2, int64),
});
export interface TokenRequest extends Static<typeof TokenRequest> {}

export const CSIDriverSpec = struct('storage/v1beta1.CSIDriverSpec', {
  attachRequired: pointer(1, bool, { default: true }),
  podInfoOnMount: pointer(2, bool, { default: false }),
  volumeLifecycleModes: optional(3, atomicList(named('v1beta1.VolumeLifecycleMode', string)), {
    default: ['Persistent'],
  }),
  storageCapacity: pointer(4, bool, { default: false }),
  fsGroupPolicy: pointer(5, named('v1beta1.FSGroupPolicy', string), {
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
  'storage/v1beta1.CSIDriver',
  'storage.k8s.io/v1beta1',
  { plural: 'csidrivers', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CSIDriverSpec),
  },
  {
    columns: driverColumns,
  },
);
export interface CSIDriver extends Static<typeof CSIDriver> {}
