import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from './device-defaults.ts';
import { validateClaimStatus } from '../claim-status-validation.ts';
import { validateClaim } from '../claim-validation.ts';
import { ResourceClaimStatus } from './resource-claim-status.ts';

export const ResourceClaim = t.kind(
  'resource/v1.ResourceClaim',
  'resource.k8s.io/v1',
  { plural: 'resourceclaims', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ResourceClaimSpec, { required: true }),
    status: t.optional(3, ResourceClaimStatus),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.devices?.requests)],
    validate: validateClaim,
    validateStatus: validateClaimStatus,
    columns: [nameColumn, column('State', ({ metadata, status }) => stateOf(metadata, status)), ageColumn],
  },
);
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}

function stateOf(metadata: t.ObjectMeta, status: ResourceClaimStatus | undefined): string {
  const deleted = metadata.deletionTimestamp != null;
  const states: string[] = deleted ? ['deleted'] : [];
  if (status?.allocation != null) {
    states.push('allocated');
    if ((status.reservedFor ?? []).length > 0) states.push('reserved');
  } else if (!deleted) states.push('pending');
  return states.join(',');
}
