import * as t from '@coxswain/schema';

export const DeviceTaint = t.struct('resource/v1beta2.DeviceTaint', {
  key: t.always(1, t.string, { required: true }),
  value: t.optional(2, t.string),
  effect: t.always(3, t.named('v1beta2.DeviceTaintEffect', t.oneOf(['None', 'NoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: t.pointer(4, t.time),
});
export interface DeviceTaint extends t.Static<typeof DeviceTaint> {}
