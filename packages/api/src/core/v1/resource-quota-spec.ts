import * as t from '@coxswain/schema';
import { ScopeSelector } from './scope-selector.ts';

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
