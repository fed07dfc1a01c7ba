import * as t from '@coxswain/schema';
import * as v1beta1 from '../v1beta1/match-resources.ts';

export const MatchResources = t.structIn('admissionregistration/v1alpha1', v1beta1.MatchResources, {
  fields: {
    matchPolicy: t.pointer(7, t.named('v1alpha1.MatchPolicyType', t.oneOf(['Exact', 'Equivalent'])), {
      default: 'Equivalent',
    }),
  },
});
export interface MatchResources extends t.Static<typeof MatchResources> {}
