import * as t from '@coxswain/schema';

export const DeviceToleration = t.struct('resource/v1.DeviceToleration', {
  key: t.optional(1, t.string),
  operator: t.optional(2, t.named('v1.DeviceTolerationOperator', t.oneOf(['Exists', 'Equal'])), {
    default: 'Equal',
    defaultPublished: true,
  }),
  value: t.optional(3, t.string),
  effect: t.optional(4, t.named('v1.DeviceTaintEffect', t.oneOf(['None', 'NoSchedule', 'NoExecute']))),
  tolerationSeconds: t.pointer(5, t.int64),
});
export interface DeviceToleration extends t.Static<typeof DeviceToleration> {}
