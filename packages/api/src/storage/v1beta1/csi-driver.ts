import * as t from '@coxswain/schema';
import { driverColumns } from '../v1/csi-driver-columns.ts';
import * as v1 from '../v1/index.ts';

export const TokenRequest = t.structIn('storage/v1beta1', v1.TokenRequest, {
  fields: { audience: t.always(1, t.string) },
});
export interface TokenRequest extends t.Static<typeof TokenRequest> {}

export const CSIDriverSpec = t.structIn('storage/v1beta1', v1.CSIDriverSpec, {
  fields: {
    volumeLifecycleModes: t.optional(3, t.atomicList(t.named('v1beta1.VolumeLifecycleMode', t.string)), {
      default: ['Persistent'],
    }),
    storageCapacity: t.pointer(4, t.bool, { default: false }),
    tokenRequests: t.optional(6, t.atomicList(TokenRequest)),
  },
});
export interface CSIDriverSpec extends t.Static<typeof CSIDriverSpec> {}

export const CSIDriver = t.kindIn(
  'storage/v1beta1',
  v1.CSIDriver,
  { fields: { spec: t.always(2, CSIDriverSpec) } },
  { columns: driverColumns },
);
export interface CSIDriver extends t.Static<typeof CSIDriver> {}
