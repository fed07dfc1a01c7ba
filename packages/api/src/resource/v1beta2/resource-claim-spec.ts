import * as t from '@coxswain/schema';
import * as v1 from '../v1/resource-claim-spec.ts';

export const CapacityRequirements = t.structIn('resource/v1beta2', v1.CapacityRequirements);
export interface CapacityRequirements extends t.Static<typeof CapacityRequirements> {}

export const DeviceSubRequest = t.structIn('resource/v1beta2', v1.DeviceSubRequest);
export interface DeviceSubRequest extends t.Static<typeof DeviceSubRequest> {}

export const DeviceClaim = t.structIn('resource/v1beta2', v1.DeviceClaim);
export interface DeviceClaim extends t.Static<typeof DeviceClaim> {}
