import { serverManager, type BootstrapObject } from '../bootstrap-object.ts';

/** The namespaces that the server creates, and recreates when they are deleted. */
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const;

export const namespaceObjects = (): BootstrapObject[] =>
  systemNamespaces.map((name) => ({
    group: '',
    version: 'v1',
    resource: 'namespaces',
    manager: serverManager,
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  }));
