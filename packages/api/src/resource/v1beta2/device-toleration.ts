import { int64, optional, pointer, string, struct, oneOf, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const DeviceToleration = struct('resource/v1beta2.DeviceToleration', {
  key: optional(1, string),
  operator: optional(2, named('v1beta2.DeviceTolerationOperator', oneOf(['Exists', 'Equal'])), {
    default: 'Equal',
    defaultPublished: true,
  }),
  value: optional(3, string),
  effect: optional(4, named('v1beta2.DeviceTaintEffect', oneOf(['None', 'NoSchedule', 'NoExecute']))),
  tolerationSeconds: pointer(5, int64),
});
export interface DeviceToleration extends Static<typeof DeviceToleration> {}
