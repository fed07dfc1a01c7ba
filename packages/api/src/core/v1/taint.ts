import * as t from '@coxswain/schema';

export const Taint = t.struct('core/v1.Taint', {
  key: t.always(1, t.string, { required: true }),
  value: t.optional(2, t.string),
  effect: t.always(3, t.named('v1.TaintEffect', t.oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: t.pointer(4, t.time),
});
export interface Taint extends t.Static<typeof Taint> {}

export const Toleration = t.struct('core/v1.Toleration', {
  key: t.optional(1, t.string),
  operator: t.optional(2, t.named('v1.TolerationOperator', t.oneOf(['Exists', 'Equal', 'Lt', 'Gt']))),
  value: t.optional(3, t.string),
  effect: t.optional(4, t.named('v1.TaintEffect', t.oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']))),
  tolerationSeconds: t.pointer(5, t.int64),
});
export interface Toleration extends t.Static<typeof Toleration> {}
