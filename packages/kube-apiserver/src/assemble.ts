/**
 * Assembles the whole API server as one value, without transports. Top to bottom: options → shared readers →
 * authentication and authorization → groups with their stores → the chain of three servers → filters → non-resource
 * paths → hooks.
 */
import { systemClock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { ServedChain } from '@coxswain/apiserver/generic-api-server.ts';
import type { AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import { auditingOf } from '@coxswain/apiserver/audit/audit-setup.ts';
import { inProcessTransport, type InProcessOptions } from '@coxswain/apiserver/http/in-process.ts';
import { TurnGate } from '@coxswain/apiserver/http/turn-gate.ts';
import { ServerLifecycle } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { apiregistrationGroup } from './aggregator/group.ts';
import { ServedGroups } from './aggregator/served-groups.ts';
import { apiextensionsGroup } from './apiextensions/group.ts';
import { groups } from './groups/groups.ts';
import { installGroups } from './groups/install.ts';
import type { Services } from './groups/services.ts';
import type { StoreRegistry } from './groups/store-registry.ts';
import { describeServer } from './observability/server-metrics.ts';
import { installPlainPaths } from './plain-paths.ts';
import type { ServerChain } from './server-chain.ts';
import { authenticationOf } from './server/authentication.ts';
import { authorizationOf } from './server/authorization.ts';
import { complete } from './server/completed-options.ts';
import { delegation } from './server/delegation.ts';
import { extensionServers } from './server/extension-servers.ts';
import { fairnessOf } from './server/fairness.ts';
import { filtered } from './server/filters.ts';
import { handlerServices } from './server/handler-services.ts';
import { addHooks } from './server/hooks.ts';
import type { AssemblyOptions } from './server/options.ts';
import { resourceServices } from './server/resource-services.ts';
import { serverState } from './server/server-state.ts';
import { startAndStop, type StartAndStop } from './server/start-and-stop.ts';
import { webhookCallerOf } from './server/webhooks.ts';
import { systemUser } from './system-request.ts';
import type { WebhookCaller } from './webhooks/webhook-caller.ts';

export type { AssemblyOptions } from './server/options.ts';

export interface AssembledApiServer extends StartAndStop {
  readonly chain: ServerChain;
  readonly served: ServedChain;
  readonly stores: StoreRegistry;
  readonly metrics: Metrics;
  readonly storage: Storage;
  /** The destination of audit events, if there is one. */
  readonly auditBackend: AuditBackend | undefined;
  readonly services: Services;
  /** Calls admission and conversion webhooks. */
  readonly webhooks: WebhookCaller;
  /** An in-process client: as `user`, or by the credentials in its headers if there is none. */
  inProcess(user?: UserInfo, options?: { readonly structured?: boolean }): Transport;
  /** Publishes the authorities that this server trusts for extension servers. */
  publishAuthentication(data: Readonly<Record<string, string>>): Promise<void>;
}

/** How long requests in progress may take when the server stops. */
const drainMsMax = 60_000;

/** @throws Error for contradictory options, StorageError when the store cannot be read */
export async function assembleKubeApiServer(given: AssemblyOptions): Promise<AssembledApiServer> {
  const options = complete(given);
  const state = serverState(options);
  const { stores, metrics } = state;
  const authorization = authorizationOf(options, state);
  const { authorizer } = authorization;
  const authentication = authenticationOf(options, state);
  const { authenticator, review: reviewToken } = authentication;

  const services = resourceServices(options, state, { authorizer, reviewToken });
  const builtInGroups = installGroups(
    [...groups, ...(options.extraGroups ?? []), apiregistrationGroup, apiextensionsGroup],
    stores,
    { ...options, services },
  );
  const extensions = extensionServers(options, state);
  const servedGroups = new ServedGroups(extensions.remotes);
  const webhooks = webhookCallerOf(options, state);
  const common = { authorizer, builtInGroups, servedGroups, webhooks };
  const handlers = handlerServices(options, state, common);
  const servers = delegation(options, state, { ...common, services, handlers, extensions });
  const { chain, outermost } = servers;
  describeServer(options, state);

  const auditing = options.audit && auditingOf(options.audit, handlers);
  const auditBackend = auditing?.backend;
  const onRefusal = () => options.workers?.refuseWaiting();
  const life = new ServerLifecycle({ ...options, ...state, auditBackend, drainMsMax, onRefusal });
  const fairness = fairnessOf(options, state);
  const { flowControl } = fairness;
  const around = { authenticator, authorizer, flowControl, life, handlers, auditing };
  const served = filtered(options.mainThread?.before(outermost) ?? outermost, options, state, around);
  const serve: InProcessOptions['serve'] = (incoming) => served.serve(incoming);
  // With a manually advanced clock, no turn is long.
  const gate = options.clock === systemClock ? new TurnGate(options.clock) : undefined;
  const inProcess: AssembledApiServer['inProcess'] = (user, { structured = true } = {}) =>
    inProcessTransport({ serve, structured, gate, ...(user && { user }) });
  // The server's own requests bypass the gate.
  state.loopback.transport = inProcessTransport({ serve, user: systemUser });

  const { listedPaths } = outermost;
  installPlainPaths(options, state, { chain, listedPaths, servedGroups, life, handlers, flowControl });
  const hooks = addHooks(options, state, { life, services, fairness, builtInGroups: servedGroups.all() });

  await fairness.start();
  await authorization.start();
  await servers.start();
  const { storage } = options;
  const { publishAuthentication } = hooks;
  const { turns } = handlers;
  const parts = { life, hooks, authentication, authorization, fairness, servers, webhooks, turns };
  return {
    chain,
    served,
    stores,
    metrics,
    storage,
    auditBackend,
    services,
    webhooks,
    inProcess,
    publishAuthentication,
    ...startAndStop(options, state, parts),
  };
}
