/**
 * The whole API server as one value; transports are around it. Top to bottom: options → who may do what →
 * stores and groups → the chain of three servers → filters → plain paths → hooks → start and stop.
 */
import type { UserInfo } from '@coxswain/apiserver';
import type { ServedChain } from '@coxswain/apiserver/generic-api-server.ts';
import { auditingOf } from '@coxswain/apiserver/audit/audit-setup.ts';
import { inProcessTransport } from '@coxswain/apiserver/http/in-process.ts';
import { OpenWatches } from '@coxswain/apiserver/lifecycle/open-watches.ts';
import { RequestCounter } from '@coxswain/apiserver/lifecycle/request-counter.ts';
import { ServerLife } from '@coxswain/apiserver/lifecycle/server-life.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { apiregistrationGroup } from './aggregator/group.ts';
import { apiextensionsGroup } from './apiextensions/group.ts';
import { groups } from './groups/groups.ts';
import { installGroups, type InstalledGroups, type StoreTable } from './groups/install.ts';
import type { Services } from './groups/services.ts';
import { describeServer } from './observability/server-metrics.ts';
import { installPlainPaths } from './plain-paths.ts';
import type { ServerChain } from './server-chain.ts';
import { authenticationOf, type ServerAuthentication } from './server/authentication.ts';
import { authorizationOf } from './server/authorization.ts';
import { complete } from './server/completed-options.ts';
import { delegation, type Delegation } from './server/delegation.ts';
import { fairnessOf } from './server/fairness.ts';
import { filtered } from './server/filters.ts';
import { handlerServices } from './server/handler-services.ts';
import { addHooks } from './server/hooks.ts';
import { Loopback, nothingListens, type ListenerOnPort } from './server/loopback.ts';
import type { AssemblyOptions } from './server/options.ts';
import { resourceServices } from './server/resource-services.ts';
import { webhookCallerOf } from './server/webhooks.ts';
import { storedObjects, type FindStore } from './stored-objects.ts';
import { systemUser } from './system-request.ts';

export type { AssemblyOptions } from './server/options.ts';

export interface AssembledApiServer {
  readonly chain: ServerChain;
  readonly served: ServedChain;
  readonly stores: StoreTable;
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly services: Services;
  /** A client of this process: as `user`, or by the credentials in its headers when there is none. */
  inProcess(user?: UserInfo, options?: { readonly structured?: boolean }): Transport;
  /**
   * Gives the store what it lacks and runs the hooks; resolves when clients find everything. `listen` opens
   * the transports, if there are any, and tells the port that clients use.
   */
  start(listen?: () => Promise<ListenerOnPort>): Promise<void>;
  /** In the original's order: readiness fails, delay, listener closed, drained, audit flushed, store closed. */
  stop(): Promise<void>;
  /** Tells extension servers whom this server believes from now on. */
  publishAuthentication(data: Readonly<Record<string, string>>): Promise<void>;
}

/** How long what is under way may take when the server stops. */
const drainMsMax = 60_000;

/** @throws Error for options that contradict each other, StorageError when the store can't be read */
export async function assembleKubeApiServer(given: AssemblyOptions): Promise<AssembledApiServer> {
  const options = complete(given);
  const { storage } = options;
  const store = { isOpen: true };
  const isStoreOpen = () => store.isOpen;
  const loopback = new Loopback();
  const openWatches = new OpenWatches();

  const findStore: FindStore = (group, resource) =>
    installed.stores.find(group, resource)?.main ?? servers.customStore(group, resource);
  const objects = storedObjects(findStore);
  const metrics = options.metrics ?? new Metrics({ settings: options.observability?.metrics });
  options.serviceAccounts?.countInto?.(metrics);
  const authorization = authorizationOf(options, metrics);
  const { authorizer } = authorization;
  const services = resourceServices(options, {
    objects,
    stores: () => installed.stores,
    authorizer,
    reviewToken: (token, audiences) => authentication.review(token, audiences),
    isStoreOpen,
    metrics,
  });
  const installed: InstalledGroups = installGroups(
    [...groups, ...(options.extraGroups ?? []), apiregistrationGroup, apiextensionsGroup],
    {
      where: options.where,
      services,
      isUncached: options.isUncached,
      runtimeConfig: options.runtime,
    },
  );
  const { stores } = installed;

  const servedGroups = () => servers.chain.groups();
  const webhooks = webhookCallerOf(options, { objects, loopback });
  const handlers = handlerServices(options, {
    objects,
    findStore,
    authorizer,
    installed,
    loopback,
    servedGroups,
    webhooks,
    openWatches,
    metrics,
  });
  const servers: Delegation = delegation(options, {
    objects,
    installed,
    services,
    handlers,
    loopback,
    webhooks,
  });
  const { chain, outermost, remotes, builtInGroups } = servers;

  describeServer(handlers.metrics, options.features, stores, storage, options.observability?.gitVersion);
  options.observability?.describeProcess?.(handlers.metrics);

  const inFlight = new RequestCounter();
  const auditing = options.audit && auditingOf(options.audit, handlers);
  const auditBackend = auditing?.backend;
  const life = new ServerLife({ ...options, inFlight, auditBackend, openWatches, drainMsMax });
  const fairness = fairnessOf(options, { metrics: handlers.metrics, stores, objects, loopback });
  const { flowControl } = fairness;
  const authentication: ServerAuthentication = authenticationOf(options, {
    objects,
    loopback,
    metrics: handlers.metrics,
  });
  const { authenticator } = authentication;
  const served = filtered(outermost, options, {
    handlers,
    authenticator,
    authorizer,
    flowControl,
    life,
    inFlight,
    auditing,
  });
  const inProcess: AssembledApiServer['inProcess'] = (user, { structured = true } = {}) =>
    inProcessTransport({ serve: (incoming) => served.serve(incoming), structured, ...(user && { user }) });
  loopback.transport = inProcess(systemUser);

  const { listedPaths } = outermost;
  installPlainPaths(chain, options, {
    listedPaths,
    remotes,
    life,
    handlers,
    isStoreOpen,
    flowControl,
    loopback,
  });
  const hooks = addHooks(options, { life, loopback, services, stores, fairness, builtInGroups });

  await fairness.start();
  await authorization.start(stores);
  await servers.start();
  return {
    chain,
    served,
    stores,
    metrics: handlers.metrics,
    storage,
    services,
    inProcess,
    publishAuthentication: (data) => hooks.publishAuthentication(data),
    async start(listen = () => Promise.resolve(nothingListens)) {
      await life.start(async () => {
        const listener = await listen();
        loopback.listens(listener);
        return listener;
      });
      await authorization.caughtUp();
    },
    async stop() {
      await life.stop();
      await options.workers?.stop();
      store.isOpen = false;
      hooks.stop();
      authentication.stop();
      authorization.stop();
      fairness.stop();
      servers.stop();
      webhooks.close();
      for (const { main } of stores.all()) main.cache.close();
      await storage.close();
    },
  };
}
