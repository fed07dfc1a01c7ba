import { atomicList, kind, listMap, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateServiceRange, validateServiceRangeStatus } from './service-cidr-validation.ts';

export const ServiceCIDRSpec = struct('networking/v1.ServiceCIDRSpec', {
  cidrs: optional(1, atomicList(string), { go: 'CIDRs' }),
});
export interface ServiceCIDRSpec extends Static<typeof ServiceCIDRSpec> {}

export const ServiceCIDRStatus = struct('networking/v1.ServiceCIDRStatus', {
  conditions: optional(1, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ServiceCIDRStatus extends Static<typeof ServiceCIDRStatus> {}

export const ServiceCIDR = kind(
  'networking/v1.ServiceCIDR',
  'networking.k8s.io/v1',
  { plural: 'servicecidrs', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ServiceCIDRSpec),
    status: optional(3, ServiceCIDRStatus),
  },
  {
    validate: validateServiceRange,
    validateStatus: validateServiceRangeStatus,
    columns: [nameColumn, column('CIDRs', ({ spec }) => (spec?.cidrs ?? []).join(',')), ageColumn],
  },
);
export interface ServiceCIDR extends Static<typeof ServiceCIDR> {}
