import { FieldPath, ipWarnings } from '@coxswain/apimachinery';
import type { MetaObject } from '../../meta/kind-object.ts';
import type { Endpoint } from './endpoint.ts';

type Slice = MetaObject & { addressType?: string; endpoints?: Endpoint[] | null };

/** These write addresses in the canonical form. */
const trustedWriters: readonly (string | undefined)[] = [
  'endpointslice-controller.k8s.io',
  'endpointslicemirroring-controller.k8s.io',
];

export function sliceWarnings(slice: Slice, old: Slice | undefined): string[] {
  const isNewFqdn = old === undefined && slice.addressType === 'FQDN';
  const warnings = isNewFqdn ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
  if (trustedWriters.includes(slice.metadata.labels?.['endpointslice.kubernetes.io/managed-by'])) {
    return warnings;
  }
  for (const [index, { addresses }] of (slice.endpoints ?? []).entries()) {
    const path = FieldPath.of('endpoints').index(index).child('addresses');
    for (const [at, address] of (addresses ?? []).entries()) {
      warnings.push(...ipWarnings(path.index(at), address));
    }
  }
  return warnings;
}
