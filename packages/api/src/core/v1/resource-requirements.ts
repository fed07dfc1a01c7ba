import * as t from '@coxswain/schema';

export const ResourceClaim = t.struct('core/v1.ResourceClaim', {
  name: t.always(1, t.string, { required: true }),
  request: t.optional(2, t.string),
});
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}

export const ResourceRequirements = t.struct('core/v1.ResourceRequirements', {
  limits: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  requests: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
  claims: t.optional(3, t.listMap(ResourceClaim, ['name']), { gate: 'DynamicResourceAllocation' }),
});
export interface ResourceRequirements extends t.Static<typeof ResourceRequirements> {}
