import * as t from '@coxswain/schema';

export const VolumeDevice = t.struct('core/v1.VolumeDevice', {
  name: t.always(1, t.string, { required: true }),
  devicePath: t.always(2, t.string, { required: true }),
});
export interface VolumeDevice extends t.Static<typeof VolumeDevice> {}

export const VolumeMount = t.struct('core/v1.VolumeMount', {
  name: t.always(1, t.string, { required: true }),
  readOnly: t.optional(2, t.bool),
  recursiveReadOnly: t.pointer(7, t.named('v1.RecursiveReadOnlyMode', t.string)),
  mountPath: t.always(3, t.string, { required: true }),
  subPath: t.optional(4, t.string),
  mountPropagation: t.pointer(
    5,
    t.named('v1.MountPropagationMode', t.oneOf(['None', 'HostToContainer', 'Bidirectional'])),
  ),
  subPathExpr: t.optional(6, t.string),
});
export interface VolumeMount extends t.Static<typeof VolumeMount> {}
