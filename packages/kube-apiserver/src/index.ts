export { assembleKubeApiServer } from './assemble.ts';
export type { AssembledApiServer, AssemblyOptions } from './assemble.ts';
export type { AuthorizationMode } from './authorization/configured-authorizer.ts';
export { runKubeApiServer } from './command.ts';
export type { KubeApiServerIo } from './io.ts';
export { createKubeApiServer } from './create.ts';
export type { KubeApiServer } from './create.ts';
export type { KubeApiServerSettings } from './settings.ts';
export { networkForwarder } from '#network-forwarder';
export { networkKubelets } from './proxy/network-kubelets.ts';
export type {
  KubeletCall,
  KubeletConnection,
  KubeletOperation,
  NodeProxyCall,
} from './kubelet-connection.ts';
export type { ServerChain } from './server-chain.ts';
export { systemUser } from './system-request.ts';
