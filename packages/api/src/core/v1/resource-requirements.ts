import { always, listMap, map, optional, quantity, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ResourceClaim = struct('core/v1.ResourceClaim', {
  name: always(1, string, { required: true }),
  request: optional(2, string),
});
export interface ResourceClaim extends Static<typeof ResourceClaim> {}

export const ResourceRequirements = struct('core/v1.ResourceRequirements', {
  limits: optional(1, named('v1.ResourceList', map(quantity))),
  requests: optional(2, named('v1.ResourceList', map(quantity))),
  claims: optional(3, listMap(ResourceClaim, ['name']), { gate: 'DynamicResourceAllocation' }),
});
export interface ResourceRequirements extends Static<typeof ResourceRequirements> {}
