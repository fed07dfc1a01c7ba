export { numberedNode, unusedNode } from './numbered-nodes.ts';
export { SimulatedRuntime } from './simulated-runtime.ts';
export * from './start-simulated-kubelets.ts';
