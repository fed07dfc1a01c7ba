import * as t from '@coxswain/schema';
import { ScopeSelector } from './scope-selector.ts';
import { roundUpToMilli } from './resource-list.ts';
import { quotaColumns } from './quota/resource-quota-columns.ts';
import { validateQuota, validateQuotaStatus } from './quota/resource-quota-validation.ts';

export const ResourceQuotaSpec = t.struct('core/v1.ResourceQuotaSpec', {
  hard: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  scopes: t.optional(
    2,
    t.atomicList(
      t.named(
        'v1.ResourceQuotaScope',
        t.oneOf([
          'Terminating',
          'NotTerminating',
          'BestEffort',
          'NotBestEffort',
          'PriorityClass',
          'CrossNamespacePodAffinity',
          'VolumeAttributesClass',
        ]),
      ),
    ),
  ),
  scopeSelector: t.pointer(3, ScopeSelector),
});
export interface ResourceQuotaSpec extends t.Static<typeof ResourceQuotaSpec> {}

export const ResourceQuotaStatus = t.struct('core/v1.ResourceQuotaStatus', {
  hard: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  used: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
});
export interface ResourceQuotaStatus extends t.Static<typeof ResourceQuotaStatus> {}

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
