import { always, int64, oneOf, optional, pointer, string, struct, time, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Taint = struct('core/v1.Taint', {
  key: always(1, string, { required: true }),
  value: optional(2, string),
  effect: always(3, named('v1.TaintEffect', oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: pointer(4, time),
});
export interface Taint extends Static<typeof Taint> {}

export const Toleration = struct('core/v1.Toleration', {
  key: optional(1, string),
  operator: optional(2, named('v1.TolerationOperator', oneOf(['Exists', 'Equal', 'Lt', 'Gt']))),
  value: optional(3, string),
  effect: optional(4, named('v1.TaintEffect', oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']))),
  tolerationSeconds: pointer(5, int64),
});
export interface Toleration extends Static<typeof Toleration> {}
