import * as t from '@coxswain/schema';

export const TokenRequest = t.struct('storage/v1.TokenRequest', {
  audience: t.always(1, t.string, { required: true }),
  expirationSeconds: t.pointer(2, t.int64),
});
export interface TokenRequest extends t.Static<typeof TokenRequest> {}

export const CSIDriverSpec = t.struct('storage/v1.CSIDriverSpec', {
  attachRequired: t.pointer(1, t.bool, { default: true }),
  podInfoOnMount: t.pointer(2, t.bool, { default: false }),
  volumeLifecycleModes: t.optional(3, t.listSet(t.named('v1.VolumeLifecycleMode', t.string)), {
    default: ['Persistent'],
  }),
  storageCapacity: t.pointer(4, t.bool, { default: false, gate: 'CSIStorageCapacity' }),
  fsGroupPolicy: t.pointer(5, t.named('v1.FSGroupPolicy', t.string), {
    default: 'ReadWriteOnceWithFSType',
    go: 'FSGroupPolicy',
  }),
  tokenRequests: t.optional(6, t.atomicList(TokenRequest)),
  requiresRepublish: t.pointer(7, t.bool, { default: false }),
  seLinuxMount: t.pointer(8, t.bool, {
    default: false,
    go: 'SELinuxMount',
    gate: 'SELinuxMountReadWriteOncePod',
  }),
  nodeAllocatableUpdatePeriodSeconds: t.pointer(9, t.int64, { gate: 'MutableCSINodeAllocatableCount' }),
  serviceAccountTokenInSecrets: t.pointer(10, t.bool, { gate: 'CSIServiceAccountTokenSecrets' }),
  preventPodSchedulingIfMissing: t.pointer(11, t.bool, { gate: 'VolumeLimitScaling' }),
});
export interface CSIDriverSpec extends t.Static<typeof CSIDriverSpec> {}
