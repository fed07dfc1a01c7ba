import { kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PartialObjectMetadata = kind('meta/v1.PartialObjectMetadata', 'meta.k8s.io/v1', undefined, {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
});
export interface PartialObjectMetadata extends Static<typeof PartialObjectMetadata> {}
