export * from './connection.ts';
export { Kubelet, type KubeletOptions } from './kubelet.ts';
export type { NodeSpec } from './node/node-spec.ts';
export { kubeletVersion } from './node/node-object.ts';
export * from './runtime.ts';
