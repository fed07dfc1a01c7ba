import { always, int64, optional, string, struct, time, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Condition = struct('meta/v1.Condition', {
  type: always(1, string, { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  observedGeneration: optional(3, int64),
  lastTransitionTime: always(4, time, { required: true }),
  reason: always(5, string, { required: true }),
  message: always(6, string, { required: true }),
});
export interface Condition extends Static<typeof Condition> {}
