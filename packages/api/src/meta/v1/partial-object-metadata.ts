import * as t from '@coxswain/schema';

export const PartialObjectMetadata = t.kind('meta/v1.PartialObjectMetadata', 'meta.k8s.io/v1', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
});
export interface PartialObjectMetadata extends t.Static<typeof PartialObjectMetadata> {}
