import { always, bool, oneOf, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const VolumeDevice = struct('core/v1.VolumeDevice', {
  name: always(1, string, { required: true }),
  devicePath: always(2, string, { required: true }),
});
export interface VolumeDevice extends Static<typeof VolumeDevice> {}

export const VolumeMount = struct('core/v1.VolumeMount', {
  name: always(1, string, { required: true }),
  readOnly: optional(2, bool),
  recursiveReadOnly: pointer(7, named('v1.RecursiveReadOnlyMode', string)),
  mountPath: always(3, string, { required: true }),
  subPath: optional(4, string),
  mountPropagation: pointer(
    5,
    named('v1.MountPropagationMode', oneOf(['None', 'HostToContainer', 'Bidirectional'])),
  ),
  subPathExpr: optional(6, string),
});
export interface VolumeMount extends Static<typeof VolumeMount> {}
