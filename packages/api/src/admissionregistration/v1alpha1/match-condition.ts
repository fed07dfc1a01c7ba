import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const MatchCondition = struct('admissionregistration/v1alpha1.MatchCondition', {
  name: always(1, string, { required: true }),
  expression: always(2, string, { required: true }),
});
export interface MatchCondition extends Static<typeof MatchCondition> {}
