import { always, atomicList, oneOf, optional, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ScopedResourceSelectorRequirement = struct('core/v1.ScopedResourceSelectorRequirement', {
  scopeName: always(
    1,
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
    { required: true },
  ),
  operator: always(2, named('v1.ScopeSelectorOperator', oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist'])), {
    required: true,
  }),
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
