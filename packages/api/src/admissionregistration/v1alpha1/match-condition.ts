import * as t from '@coxswain/schema';

export const MatchCondition = t.struct('admissionregistration/v1alpha1.MatchCondition', {
  name: t.always(1, t.string, { required: true }),
  expression: t.always(2, t.string, { required: true }),
});
export interface MatchCondition extends t.Static<typeof MatchCondition> {}
