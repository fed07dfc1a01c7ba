import { always, optional, pointer, string, struct, time, oneOf, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const DeviceTaint = struct('resource/v1beta2.DeviceTaint', {
  key: always(1, string, { required: true }),
  value: optional(2, string),
  effect: always(3, named('v1beta2.DeviceTaintEffect', oneOf(['None', 'NoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: pointer(4, time),
});
export interface DeviceTaint extends Static<typeof DeviceTaint> {}
