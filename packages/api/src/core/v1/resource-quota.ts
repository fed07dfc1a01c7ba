import * as t from '@coxswain/schema';
import { roundUpToMilli } from './resource-list.ts';
import { quotaColumns } from './quota/resource-quota-columns.ts';
import { validateQuota, validateQuotaStatus } from './quota/resource-quota-validation.ts';
import { ResourceQuotaSpec } from './resource-quota-spec.ts';
import { ResourceQuotaStatus } from './resource-quota-status.ts';

export const ResourceQuota = t.kind(
  'core/v1.ResourceQuota',
  'v1',
  { plural: 'resourcequotas', shortNames: ['quota'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ResourceQuotaSpec),
    status: t.optional(3, ResourceQuotaStatus),
  },
  {
    defaults: [defaultQuota],
    validate: validateQuota,
    validateStatus: validateQuotaStatus,
    columns: quotaColumns,
  },
);
export interface ResourceQuota extends t.Static<typeof ResourceQuota> {}

function defaultQuota({ spec, status }: { spec: ResourceQuotaSpec; status: ResourceQuotaStatus }): void {
  roundUpToMilli(spec.hard);
  roundUpToMilli(status?.hard);
  roundUpToMilli(status?.used);
}
