import { FieldPath, goQuote, hasFraction, parseQuantity } from '@coxswain/apimachinery';
import type { ObjectMeta } from '@coxswain/schema';
import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-spec.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

export function claimWarnings({
  metadata,
  spec,
}: {
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}): string[] {
  const path = FieldPath.of('metadata', 'annotations').key(classAnnotation);
  const ofClass =
    metadata.annotations?.[classAnnotation] === undefined
      ? []
      : [`${path}: deprecated since v1.8; use "storageClassName" attribute instead`];
  return [...ofClass, ...claimSpecWarnings(spec, FieldPath.of('spec'))];
}

export function claimSpecWarnings(spec: PersistentVolumeClaimSpec, path: FieldPath): string[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const text = spec.resources?.[list]?.['storage'];
    if (text === undefined || !hasFraction(parseQuantity(text))) return [];
    const at = path.child('resources', list).key('storage');
    return [`${at}: fractional byte value ${goQuote(text)} is invalid, must be an integer`];
  });
}
