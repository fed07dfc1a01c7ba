import * as t from '@coxswain/schema';

export const Condition = t.struct('meta/v1.Condition', {
  type: t.always(1, t.string, { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  observedGeneration: t.optional(3, t.int64),
  lastTransitionTime: t.always(4, t.time, { required: true }),
  reason: t.always(5, t.string, { required: true }),
  message: t.always(6, t.string, { required: true }),
});
export interface Condition extends t.Static<typeof Condition> {}
