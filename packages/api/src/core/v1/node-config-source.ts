import { always, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ConfigMapNodeConfigSource = struct('core/v1.ConfigMapNodeConfigSource', {
  namespace: always(1, string, { required: true }),
  name: always(2, string, { required: true }),
  uid: optional(3, named('types.UID', string), { go: 'UID' }),
  resourceVersion: optional(4, string),
  kubeletConfigKey: always(5, string, { required: true }),
});
export interface ConfigMapNodeConfigSource extends Static<typeof ConfigMapNodeConfigSource> {}

export const NodeConfigSource = struct('core/v1.NodeConfigSource', {
  configMap: pointer(2, ConfigMapNodeConfigSource),
});
export interface NodeConfigSource extends Static<typeof NodeConfigSource> {}
