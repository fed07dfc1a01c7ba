/** The second half of the aggregator: the servers behind APIServices, their groups and their availability. */
import type { DelegationTarget } from '@coxswain/apiserver';
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import { AvailabilityController } from '../aggregator/availability-controller.ts';
import { ExtensionClient } from '../aggregator/extension-client.ts';
import { withExtensionPaths } from '../aggregator/extension-paths.ts';
import { apiregistrationGroup } from '../aggregator/group.ts';
import { RemoteGroups } from '../aggregator/remote-groups.ts';
import { serviceResolver } from '../service-address.ts';
import type { ServerChain } from '../server-chain.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export interface ExtensionServers {
  readonly remotes: () => RemoteGroups['remotes'];
  /** Puts the paths of extension servers in front of the chain. */
  around(chain: ServerChain, services: ServerServices): DelegationTarget;
  start(): Promise<void>;
  stop(): void;
}

export function extensionServers(options: CompletedOptions, state: ServerState): ExtensionServers {
  const { clock, transient, log, storage, forwarder, asksExtensionEndpoints, servedHere, mainThread } =
    options;
  const { objects, stores, loopback, metrics } = state;
  const self = () => loopback.address;
  const resolve = serviceResolver({
    objects,
    random: transient.random,
    asksEndpoints: asksExtensionEndpoints,
    self,
  });
  const client = new ExtensionClient({ clock, forwarder, resolve });
  const apiServices = stores.of(apiregistrationGroup.name, 'apiservices').main;
  const remote = new RemoteGroups({ clock, storage, apiServices, servedHere, client, metrics });
  const availability = new AvailabilityController({
    clock,
    storage,
    objects,
    apiServices,
    servedHere,
    services: stores.of('', 'services').main,
    endpointSlices: stores.of('discovery.k8s.io', 'endpointslices').main,
    probe: (apiService) => client.probe(apiService),
    transport: () => loopback.transport,
    log,
    metrics,
    observer: options.observer,
  });
  return {
    remotes: () => remote.remotes,
    around: ({ groups, aggregator }, services) =>
      withExtensionPaths({ remote, client, services, groups, own: aggregator }),
    async start() {
      await remote.start();
      if (mainThread === undefined) await availability.start();
    },
    stop() {
      availability.stop();
      remote.stop();
    },
  };
}
