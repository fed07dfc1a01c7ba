export { runKubelet } from './command.ts';
export * from './connection.ts';
export { Kubelet, type KubeletOptions } from './kubelet.ts';
export { numberedNode, unusedNode, nodeSpecs, type NodeSpec } from './node/node-spec.ts';
export { kubeletVersion } from './node/node-object.ts';
export * from './runtime.ts';
export * from './start-simulated-kubelets.ts';
export { SimulatedRuntime } from './simulated/simulated-runtime.ts';
