import { always, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const PodGroupResourceClaim = struct('scheduling/v1alpha2.PodGroupResourceClaim', {
  name: always(1, string, { required: true }),
  resourceClaimName: pointer(2, string),
  resourceClaimTemplateName: pointer(3, string),
});
export interface PodGroupResourceClaim extends Static<typeof PodGroupResourceClaim> {}
