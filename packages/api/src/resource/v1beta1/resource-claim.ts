import * as t from '@coxswain/schema';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from '../v1/device-defaults.ts';
import { claimColumns } from '../v1/resource-claim-columns.ts';
import * as v1beta2 from '../v1beta2/resource-claim.ts';

export const ResourceClaim = t.kindIn(
  'resource/v1beta1',
  v1beta2.ResourceClaim,
  { fields: { spec: t.always(2, ResourceClaimSpec, { required: true }) } },
  { defaults: [({ spec }) => defaultDeviceRequests(spec.devices?.requests)], columns: claimColumns },
);
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}
