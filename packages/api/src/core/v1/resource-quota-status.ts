import * as t from '@coxswain/schema';

export const ResourceQuotaStatus = t.struct('core/v1.ResourceQuotaStatus', {
  hard: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  used: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface ResourceQuotaStatus extends t.Static<typeof ResourceQuotaStatus> {}
