/**
 * aggregator → kube-apiserver → apiextensions: three servers, each asked for what the one before it doesn't
 * have. They are made from the inside out, and asked from the outside in.
 */
import type { ApiGroup } from '@coxswain/apiserver';
import { installRootDiscovery } from '@coxswain/apiserver/discovery/root.ts';
import { GenericApiServer } from '@coxswain/apiserver/generic-api-server.ts';
import type { InstallOptions } from '@coxswain/apiserver/installer.ts';
import { discoveredGroups } from './aggregator/discovered-groups.ts';
import type { RemoteVersion } from './aggregator/remote-groups.ts';

export interface ServerChainOptions extends InstallOptions {
  readonly groups: {
    readonly aggregator: readonly ApiGroup[];
    readonly kubeApiServer: readonly ApiGroup[];
    readonly apiExtensions: readonly ApiGroup[];
  };
  /** Group versions of extension servers, by the names of their APIServices. */
  readonly remotes: () => ReadonlyMap<string, RemoteVersion>;
  /** What clients are told to connect to: `127.0.0.1:6443`. */
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
  remotes,
  serverAddress,
  ...install
}: ServerChainOptions): ServerChain {
  const apiExtensions = new GenericApiServer({ ...install, name: 'apiextensions' });
  const kubeApiServer = new GenericApiServer({ ...install, name: 'kube-apiserver', delegate: apiExtensions });
  const aggregator = new GenericApiServer({ ...install, name: 'aggregator', delegate: kubeApiServer });
  for (const group of groups.apiExtensions) apiExtensions.install(group);
  for (const group of groups.kubeApiServer) kubeApiServer.install(group);
  for (const group of groups.aggregator) aggregator.install(group);
  const all = discoveredGroups(
    () => [aggregator, kubeApiServer, apiExtensions].flatMap((server) => server.groups),
    remotes,
  );
  installRootDiscovery(aggregator.plain, {
    groups: all,
    get serverAddress() {
      return serverAddress();
    },
    services: install.services,
  });
  return { aggregator, kubeApiServer, apiExtensions, groups: all };
}
