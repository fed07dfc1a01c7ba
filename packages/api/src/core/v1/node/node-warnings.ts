import { cidrWarnings, FieldPath } from '@coxswain/apimachinery';
import type { NodeSpec } from '../node-spec.ts';

export function nodeWarnings({ spec }: { spec?: NodeSpec }): string[] {
  const path = FieldPath.of('spec', 'podCIDRs');
  return [
    ...(spec?.configSource == null ? [] : ['spec.configSource: the feature is removed']),
    ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...(spec?.podCIDRs ?? []).flatMap((cidr, index) => cidrWarnings(path.index(index), cidr)),
  ];
}
