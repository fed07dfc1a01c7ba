/** Assembles the three servers of the chain: built-in groups, custom resources, extension servers. */
import type { ApiGroup, DelegationTarget } from '@coxswain/apiserver';
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import { apiregistrationGroup } from '../aggregator/group.ts';
import type { ServedGroups } from '../aggregator/served-groups.ts';
import { CustomResourceServer } from '../apiextensions/custom-resource-server.ts';
import { apiextensionsGroup } from '../apiextensions/group.ts';
import type { Services } from '../groups/services.ts';
import { createServerChain, type ServerChain, type ServerChainOptions } from '../server-chain.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ExtensionServers } from './extension-servers.ts';
import type { ServerState } from './server-state.ts';

export interface DelegationParts {
  readonly builtInGroups: readonly ApiGroup[];
  readonly servedGroups: ServedGroups;
  readonly services: Services;
  readonly handlers: ServerServices;
  readonly extensions: ExtensionServers;
  readonly webhooks: WebhookCaller;
}

export interface Delegation {
  readonly chain: ServerChain;
  /** The first server of the chain. */
  readonly outermost: DelegationTarget;
  /** Starts watching definitions and APIServices in the store. */
  start(): Promise<void>;
  stop(): void;
}

export function delegation(
  options: CompletedOptions,
  { stores, loopback, metrics }: ServerState,
  { builtInGroups, servedGroups, services, handlers, extensions, webhooks }: DelegationParts,
): Delegation {
  const { storage, where, log, externalHostname } = options;
  const chain = createServerChain({
    services: handlers,
    servedGroups,
    groups: groupsByServer(builtInGroups),
    serverAddress: () => `${externalHostname}:${loopback.port}`,
  });
  const customResources = new CustomResourceServer({
    server: chain.apiExtensions,
    stores,
    storage,
    storageFor: (resource) => where.storageFor(resource),
    services,
    metrics,
    webhooks,
    transport: () => loopback.transport,
    log,
    observer: options.observer,
    onlyServes: options.mainThread !== undefined,
  });
  return {
    chain,
    outermost: extensions.around(chain, handlers),
    async start() {
      await customResources.start();
      await extensions.start();
    },
    stop() {
      customResources.stop();
      extensions.stop();
    },
  };
}

function groupsByServer(groups: readonly ApiGroup[]): ServerChainOptions['groups'] {
  const ofAggregator = apiregistrationGroup.name;
  const ofExtensions = apiextensionsGroup.name;
  return {
    aggregator: groups.filter(({ name }) => name === ofAggregator),
    kubeApiServer: groups.filter(({ name }) => name !== ofAggregator && name !== ofExtensions),
    apiExtensions: groups.filter(({ name }) => name === ofExtensions),
  };
}
