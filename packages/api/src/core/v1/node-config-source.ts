import * as t from '@coxswain/schema';

export const ConfigMapNodeConfigSource = t.struct('core/v1.ConfigMapNodeConfigSource', {
  namespace: t.always(1, t.string, { required: true }),
  name: t.always(2, t.string, { required: true }),
  uid: t.optional(3, t.named('types.UID', t.string), { go: 'UID' }),
  resourceVersion: t.optional(4, t.string),
  kubeletConfigKey: t.always(5, t.string, { required: true }),
});
export interface ConfigMapNodeConfigSource extends t.Static<typeof ConfigMapNodeConfigSource> {}

export const NodeConfigSource = t.struct('core/v1.NodeConfigSource', {
  configMap: t.pointer(2, ConfigMapNodeConfigSource),
});
export interface NodeConfigSource extends t.Static<typeof NodeConfigSource> {}
