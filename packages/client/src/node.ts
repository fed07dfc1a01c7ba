/**
 * The parts of the client that need Node: files, credential plugins, sockets.
 * @module @coxswain/client/node
 */

export * from './https/disk-cache.ts';
export * from './https/http-transport.ts';
export * from './https/http-transport-options.ts';
export * from './discovery/cached-discovery.ts';
export * from './https/connect.ts';
export * from './kubeconfig/credentials.ts';
export * from './kubeconfig/exec-credential.ts';
export * from './kubeconfig/load.ts';
