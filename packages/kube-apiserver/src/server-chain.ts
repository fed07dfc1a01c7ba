/**
 * aggregator → kube-apiserver → apiextensions: three servers, each asked for what the one before it doesn't
 * have. They are made from the inside out, and asked from the outside in.
 */
import type { ApiGroup } from '@coxswain/apiserver';
import { installRootDiscovery } from '@coxswain/apiserver/discovery/root.ts';
import { GenericApiServer } from '@coxswain/apiserver/generic-api-server.ts';
import type { InstallOptions } from '@coxswain/apiserver/installer.ts';
import { priorityOf } from './aggregator/local-api-services.ts';

export interface ServerChainOptions extends InstallOptions {
  readonly groups: {
    readonly aggregator: readonly ApiGroup[];
    readonly kubeApiServer: readonly ApiGroup[];
    readonly apiExtensions: readonly ApiGroup[];
  };
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

export function createServerChain({ groups, serverAddress, ...install }: ServerChainOptions): ServerChain {
  const apiExtensions = new GenericApiServer({ ...install, name: 'apiextensions' });
  const kubeApiServer = new GenericApiServer({ ...install, name: 'kube-apiserver', delegate: apiExtensions });
  const aggregator = new GenericApiServer({ ...install, name: 'aggregator', delegate: kubeApiServer });
  for (const group of groups.apiExtensions) apiExtensions.install(group);
  for (const group of groups.kubeApiServer) kubeApiServer.install(group);
  for (const group of groups.aggregator) aggregator.install(group);
  const all = discoveryOrder(() =>
    [aggregator, kubeApiServer, apiExtensions].flatMap((server) => server.groups),
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

/** In discovery's order; sorted anew only when a group came, went or was exchanged. */
function discoveryOrder(groups: () => readonly ApiGroup[]): () => readonly ApiGroup[] {
  let known: readonly ApiGroup[] = [];
  let ordered: readonly ApiGroup[] = [];
  return () => {
    const current = groups();
    if (current.length !== known.length || current.some((group, at) => group !== known[at])) {
      known = current;
      ordered = inDiscoveryOrder(current);
    }
    return ordered;
  };
}

/** The aggregator's own group, then by the priority of groups; among equals by name. */
function inDiscoveryOrder(groups: readonly ApiGroup[]): readonly ApiGroup[] {
  const rank = ({ name, versions }: ApiGroup) =>
    name === 'apiregistration.k8s.io'
      ? Infinity
      : Math.max(...versions.map(({ version }) => priorityOf(name, version).group));
  return groups.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? (a.name < b.name ? -1 : 1) : right - left;
  });
}
