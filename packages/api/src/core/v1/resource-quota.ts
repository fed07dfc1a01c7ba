import {
  atomicList,
  kind,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ScopeSelector } from './scope-selector.ts';
import { roundUpToMilli } from './resource-list.ts';
import { quotaColumns } from './resource-quota-columns.ts';
import { validateQuota, validateQuotaStatus } from './resource-quota-validation.ts';

export const ResourceQuotaSpec = struct('core/v1.ResourceQuotaSpec', {
  hard: optional(1, named('v1.ResourceList', map(quantity))),
  scopes: optional(
    2,
    atomicList(
      named(
        'v1.ResourceQuotaScope',
        oneOf([
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
  scopeSelector: pointer(3, ScopeSelector),
});
export interface ResourceQuotaSpec extends Static<typeof ResourceQuotaSpec> {}

export const ResourceQuotaStatus = struct('core/v1.ResourceQuotaStatus', {
  hard: optional(1, named('v1.ResourceList', map(quantity))),
  used: optional(2, named('v1.ResourceList', map(quantity))),
});
export interface ResourceQuotaStatus extends Static<typeof ResourceQuotaStatus> {}

export const ResourceQuota = kind(
  'core/v1.ResourceQuota',
  'v1',
  { plural: 'resourcequotas', shortNames: ['quota'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ResourceQuotaSpec),
    status: optional(3, ResourceQuotaStatus),
  },
  {
    defaults: [defaultQuota],
    validate: validateQuota,
    validateStatus: validateQuotaStatus,
    columns: quotaColumns,
  },
);
export interface ResourceQuota extends Static<typeof ResourceQuota> {}

function defaultQuota({ spec, status }: { spec: ResourceQuotaSpec; status: ResourceQuotaStatus }): void {
  roundUpToMilli(spec.hard);
  roundUpToMilli(status?.hard);
  roundUpToMilli(status?.used);
}
