import { FieldPath, ipWarnings } from '@coxswain/apimachinery';
import type { MetaObject } from '../../../meta/kind-object.ts';
import type { EndpointSubset } from '../endpoint-subset.ts';

/** Warns about addresses in a non-canonical form, unless the controller wrote them. */
export function endpointsWarnings({
  metadata,
  subsets,
}: MetaObject & { subsets?: EndpointSubset[] }): string[] {
  if (metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return (subsets ?? []).flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) => {
      const path = FieldPath.of('subsets').index(index).child(list);
      return (subset[list] ?? []).flatMap(({ ip }, at) => ipWarnings(path.index(at).child('ip'), ip ?? ''));
    }),
  );
}
