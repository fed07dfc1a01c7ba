import { int64, oneOf, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const DeviceToleration = struct('resource/v1.DeviceToleration', {
  key: optional(1, string),
  operator: optional(2, named('v1.DeviceTolerationOperator', oneOf(['Exists', 'Equal'])), {
    default: 'Equal',
    defaultPublished: true,
  }),
  value: optional(3, string),
  effect: optional(4, named('v1.DeviceTaintEffect', oneOf(['None', 'NoSchedule', 'NoExecute']))),
  tolerationSeconds: pointer(5, int64),
});
export interface DeviceToleration extends Static<typeof DeviceToleration> {}
