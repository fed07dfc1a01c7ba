/** The three servers of the chain with all that is served by them: built-in groups, custom resources, extension servers. */
import type { ApiGroup, DelegationTarget } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { ServerServices } from '@coxswain/apiserver/services.ts';
import type { ObjectReader } from '../admission/object-reader.ts';
import { apiregistrationGroup } from '../aggregator/group.ts';
import type { RemoteGroups } from '../aggregator/remote-groups.ts';
import { CustomResourceServer } from '../apiextensions/custom-resource-server.ts';
import { apiextensionsGroup } from '../apiextensions/group.ts';
import type { InstalledGroups } from '../groups/install.ts';
import type { Services } from '../groups/services.ts';
import { createServerChain, type ServerChain, type ServerChainOptions } from '../server-chain.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { CompletedOptions } from './completed-options.ts';
import { extensionServers } from './extension-servers.ts';
import type { Loopback } from './loopback.ts';

export interface DelegationParts {
  readonly objects: ObjectReader;
  readonly installed: InstalledGroups;
  readonly services: Services;
  readonly handlers: ServerServices;
  readonly loopback: Loopback;
  readonly webhooks: WebhookCaller;
}

export interface Delegation {
  readonly chain: ServerChain;
  /** Who is asked first. */
  readonly outermost: DelegationTarget;
  /** Group versions of extension servers. */
  readonly remotes: () => RemoteGroups['remotes'];
  /** Those that are served without anybody defining them. */
  readonly builtInGroups: readonly ApiGroup[];
  /** Where the objects of a custom resource are. */
  customStore(group: string, resource: string): GenericStore | undefined;
  /** Follows what is defined and registered in the store. */
  start(): Promise<void>;
  stop(): void;
}

export function delegation(options: CompletedOptions, parts: DelegationParts): Delegation {
  const { storage, where, log, externalHostname } = options;
  const { objects, installed, services, handlers, loopback, webhooks } = parts;
  const { stores } = installed;
  const extensions = extensionServers(options, { objects, stores, loopback, metrics: handlers.metrics });
  const chain = createServerChain({
    services: handlers,
    remotes: extensions.remotes,
    groups: groupsByServer(installed),
    serverAddress: () => `${externalHostname}:${loopback.port}`,
  });
  const builtInGroups = chain.groups();
  const customResources = new CustomResourceServer({
    server: chain.apiExtensions,
    definitions: stores.of(apiextensionsGroup.name, 'customresourcedefinitions').main,
    apiServices: stores.of(apiregistrationGroup.name, 'apiservices').main,
    storage,
    storageFor: (resource) => where.storageFor(resource),
    services,
    metrics: handlers.metrics,
    newUid: options.newUid,
    webhooks,
    transport: () => loopback.transport,
    log,
  });
  return {
    chain,
    outermost: extensions.around(chain, handlers),
    remotes: extensions.remotes,
    builtInGroups,
    customStore: (group, resource) => customResources.storeOf(group, resource),
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

function groupsByServer({ groups }: InstalledGroups): ServerChainOptions['groups'] {
  const ofAggregator = apiregistrationGroup.name;
  const ofExtensions = apiextensionsGroup.name;
  return {
    aggregator: groups.filter(({ name }) => name === ofAggregator),
    kubeApiServer: groups.filter(({ name }) => name !== ofAggregator && name !== ofExtensions),
    apiExtensions: groups.filter(({ name }) => name === ofExtensions),
  };
}
