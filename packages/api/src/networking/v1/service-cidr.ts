import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateServiceRange, validateServiceRangeStatus } from './service-cidr-validation.ts';

export const ServiceCIDRSpec = t.struct('networking/v1.ServiceCIDRSpec', {
  cidrs: t.optional(1, t.atomicList(t.string), { go: 'CIDRs' }),
});
export interface ServiceCIDRSpec extends t.Static<typeof ServiceCIDRSpec> {}

export const ServiceCIDRStatus = t.struct('networking/v1.ServiceCIDRStatus', {
  conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ServiceCIDRStatus extends t.Static<typeof ServiceCIDRStatus> {}

export const ServiceCIDR = t.kind(
  'networking/v1.ServiceCIDR',
  'networking.k8s.io/v1',
  { plural: 'servicecidrs', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ServiceCIDRSpec),
    status: t.optional(3, ServiceCIDRStatus),
  },
  {
    validate: validateServiceRange,
    validateStatus: validateServiceRangeStatus,
    columns: [nameColumn, column('CIDRs', ({ spec }) => (spec?.cidrs ?? []).join(',')), ageColumn],
  },
);
export interface ServiceCIDR extends t.Static<typeof ServiceCIDR> {}
