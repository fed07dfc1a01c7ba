import {
  always,
  atomicList,
  kind,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { roundUpToMilli } from './resource-list.ts';
import { quotaColumns } from './resource-quota-columns.ts';

export const ScopedResourceSelectorRequirement = struct('core/v1.ScopedResourceSelectorRequirement', {
  scopeName: always(
    1,
    oneOf([
      'Terminating',
      'NotTerminating',
      'BestEffort',
      'NotBestEffort',
      'PriorityClass',
      'CrossNamespacePodAffinity',
      'VolumeAttributesClass',
    ]),
    { required: true },
  ),
  operator: always(2, oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist']), { required: true }),
  values: optional(3, atomicList(string)),
});
export interface ScopedResourceSelectorRequirement extends Static<typeof ScopedResourceSelectorRequirement> {}

export const ScopeSelector = struct(
  'core/v1.ScopeSelector',
  {
    matchExpressions: optional(1, atomicList(ScopedResourceSelectorRequirement)),
  },
  { atomic: true },
);
export interface ScopeSelector extends Static<typeof ScopeSelector> {}

export const ResourceQuotaSpec = struct('core/v1.ResourceQuotaSpec', {
  hard: optional(1, map(quantity)),
  scopes: optional(
    2,
    atomicList(
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
  scopeSelector: pointer(3, ScopeSelector),
});
export interface ResourceQuotaSpec extends Static<typeof ResourceQuotaSpec> {}

export const ResourceQuotaStatus = struct('core/v1.ResourceQuotaStatus', {
  hard: optional(1, map(quantity)),
  used: optional(2, map(quantity)),
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
    columns: quotaColumns,
  },
);
export interface ResourceQuota extends Static<typeof ResourceQuota> {}

function defaultQuota({ spec, status }: { spec: ResourceQuotaSpec; status: ResourceQuotaStatus }): void {
  roundUpToMilli(spec.hard);
  roundUpToMilli(status?.hard);
  roundUpToMilli(status?.used);
}
