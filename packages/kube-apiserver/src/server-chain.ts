/**
 * aggregator → kube-apiserver → apiextensions: three servers, each of which delegates what it doesn't serve to the
 * next. They are created from the last to the first.
 */
import type { ApiGroup } from '@coxswain/apiserver';
import { installRootDiscovery } from '@coxswain/apiserver/discovery/root.ts';
import { GenericApiServer } from '@coxswain/apiserver/generic-api-server.ts';
import type { InstallOptions } from '@coxswain/apiserver/installer.ts';
import type { ServedGroups } from './aggregator/served-groups.ts';

export interface ServerChainOptions extends InstallOptions {
  readonly groups: {
    readonly aggregator: readonly ApiGroup[];
    readonly kubeApiServer: readonly ApiGroup[];
    readonly apiExtensions: readonly ApiGroup[];
  };
  /** The registry of their groups, including those of extension servers. */
  readonly servedGroups: ServedGroups;
  /** The address for clients: `127.0.0.1:6443`. */
  readonly serverAddress: () => string;
}

export interface ServerChain {
  readonly aggregator: GenericApiServer;
  readonly kubeApiServer: GenericApiServer;
  readonly apiExtensions: GenericApiServer;
  /** All groups of the chain, in discovery's order. */
  readonly groups: () => readonly ApiGroup[];
}

export function createServerChain({
  groups,
  servedGroups,
  serverAddress,
  ...install
}: ServerChainOptions): ServerChain {
  const apiExtensions = new GenericApiServer({
    ...install,
    name: 'apiextensions',
    groups: servedGroups.apiExtensions,
  });
  const kubeApiServer = new GenericApiServer({
    ...install,
    name: 'kube-apiserver',
    groups: servedGroups.kubeApiServer,
    delegate: apiExtensions,
  });
  const aggregator = new GenericApiServer({
    ...install,
    name: 'aggregator',
    groups: servedGroups.aggregator,
    delegate: kubeApiServer,
  });
  for (const group of groups.apiExtensions) apiExtensions.install(group);
  for (const group of groups.kubeApiServer) kubeApiServer.install(group);
  for (const group of groups.aggregator) aggregator.install(group);
  installRootDiscovery(aggregator.plain, {
    groups: servedGroups.all,
    get serverAddress() {
      return serverAddress();
    },
    services: install.services,
  });
  return { aggregator, kubeApiServer, apiExtensions, groups: servedGroups.all };
}
