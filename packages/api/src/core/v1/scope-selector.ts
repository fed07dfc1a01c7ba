import * as t from '@coxswain/schema';

export const ScopedResourceSelectorRequirement = t.struct('core/v1.ScopedResourceSelectorRequirement', {
  scopeName: t.always(
    1,
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
    { required: true },
  ),
  operator: t.always(
    2,
    t.named('v1.ScopeSelectorOperator', t.oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist'])),
    {
      required: true,
    },
  ),
  values: t.optional(3, t.atomicList(t.string)),
});
export interface ScopedResourceSelectorRequirement extends t.Static<
  typeof ScopedResourceSelectorRequirement
> {}

export const ScopeSelector = t.struct(
  'core/v1.ScopeSelector',
  {
    matchExpressions: t.optional(1, t.atomicList(ScopedResourceSelectorRequirement)),
  },
  { atomic: true },
);
export interface ScopeSelector extends t.Static<typeof ScopeSelector> {}
