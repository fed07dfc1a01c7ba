import * as t from '@coxswain/schema';

export const PodGroupResourceClaim = t.struct('scheduling/v1alpha2.PodGroupResourceClaim', {
  name: t.always(1, t.string, { required: true }),
  resourceClaimName: t.pointer(2, t.string),
  resourceClaimTemplateName: t.pointer(3, t.string),
});
export interface PodGroupResourceClaim extends t.Static<typeof PodGroupResourceClaim> {}
