/** The whole API server as one value: stores, chain, bootstrap. Transports are around it. */
import { newUid as randomUid, systemClock, systemRandom } from '@coxswain/apimachinery';
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client/transport.ts';
import type { AuditBackend } from '@coxswain/apiserver/audit/audit-event.ts';
import type { Authenticator, TokenAuthenticator, UserInfo } from '@coxswain/apiserver';
import { admissionChain } from '@coxswain/apiserver/admission/chain.ts';
import { anonymous } from '@coxswain/apiserver/authentication/anonymous.ts';
import { clientCertificate } from '@coxswain/apiserver/authentication/client-certificate.ts';
import { inProcessUser } from '@coxswain/apiserver/authentication/in-process-user.ts';
import {
  bearerToken,
  unionAuthenticator,
  unionTokenAuthenticator,
  unlessRefused,
} from '@coxswain/apiserver/authentication/union.ts';
import type { InFlightLimits } from '@coxswain/apiserver/filters/limit-fairly.ts';
import { inFlightDefaults } from '@coxswain/apiserver/filters/limit-fairly.ts';
import { serveChain } from '@coxswain/apiserver/generic-api-server.ts';
import type { ServedChain } from '@coxswain/apiserver/generic-api-server.ts';
import { inProcessTransport } from '@coxswain/apiserver/http/in-process.ts';
import { RequestCounter } from '@coxswain/apiserver/lifecycle/request-counter.ts';
import { ServerLife } from '@coxswain/apiserver/lifecycle/server-life.ts';
import type { Listener } from '@coxswain/apiserver/lifecycle/server-life.ts';
import { Metrics } from '@coxswain/apiserver/metrics/metrics.ts';
import type { ServerServices } from '@coxswain/apiserver/services.ts';
import { isLocal } from '@coxswain/storage/storage.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import type { PluginConfigurations } from './admission/configuration/admission-configuration.ts';
import { admissionPlugins } from './admission/plugins.ts';
import { resourceMapper } from './admission/resource-mapper.ts';
import type { TolerationSeconds } from './admission/plugins/default-toleration-seconds.ts';
import { AvailabilityController } from './aggregator/availability-controller.ts';
import { ExtensionClient } from './aggregator/extension-client.ts';
import { withExtensionPaths } from './aggregator/extension-paths.ts';
import { authorizerChain } from './authorization/authorizer-chain.ts';
import type { AuthorizationSetup } from './authorization/authorizer-chain.ts';
import { plainAuthorizer } from './authorization/configured-authorizer.ts';
import type { AuthorizationMode } from './authorization/configured-authorizer.ts';
import { ruleResolver } from './authorization/rule-resolver.ts';
import { NodeGraphFollower } from './authorization/node/graph-follower.ts';
import { apiregistrationGroup } from './aggregator/group.ts';
import { RemoteGroups } from './aggregator/remote-groups.ts';
import { serviceResolver } from './aggregator/service-address.ts';
import { CustomResourceServer } from './apiextensions/custom-resource-server.ts';
import { apiextensionsGroup } from './apiextensions/group.ts';
import { bootstrapServer } from './bootstrap/bootstrap-server.ts';
import { featureGates } from './feature-gates.ts';
import { groups } from './groups/groups.ts';
import { installGroups } from './groups/install.ts';
import type { StoreTable } from './groups/install.ts';
import type { Services } from './groups/services.ts';
import { serviceAllocationOf } from './groups/core/service/service-allocation.ts';
import { parsePortRange } from './groups/core/service/node-port-allocator.ts';
import type { PortRange } from './groups/core/service/node-port-allocator.ts';
import type { KubeletConnection } from './kubelet-connection.ts';
import type { Forwarder } from './proxy/forwarder.ts';
import { networkForwarder } from './proxy/network-forwarder.ts';
import { networkKubelets } from './proxy/network-kubelets.ts';
import { registeredKinds } from './known-kinds.ts';
import { quotaBook } from './quota-book.ts';
import { FlowClassifier } from './groups/flowcontrol/flow-classifier.ts';
import { PolicyFollower } from './rbac/policy-follower.ts';
import { ruleLister } from './rbac/rule-lister.ts';
import { runtimeConfig } from './runtime-config.ts';
import type { RuntimeSettings } from './runtime-config.ts';
import type { DescriptionOf } from '@coxswain/schema/openapi.ts';
import { createServerChain } from './server-chain.ts';
import type { ServerChain } from './server-chain.ts';
import { installPlainPaths } from './plain-paths.ts';
import { oneStore } from './server-stores.ts';
import type { ResourceStores } from './server-stores.ts';
import { storedObjects } from './stored-objects.ts';
import { systemUser } from './system-request.ts';
import { noWebhooks } from './webhook-connection.ts';
import type { WebhookConnector } from './webhook-connection.ts';
import type { IsUncached } from './uncached-resources.ts';
import { Peers } from './peers/peers.ts';
import { serviceRepairOf } from './service-repair/repair-of-server.ts';
import { serviceAccountTokens } from './service-accounts/token-authenticator.ts';
import type { TokenVerifier } from './service-accounts/pem-keys.ts';
import type { TokenIssuer } from './service-accounts/token-issuer.ts';

export interface AssemblyOptions {
  readonly storage: Storage;
  /** Where each resource is stored, and how; all of it in `storage`, as JSON, when absent. */
  readonly where?: ResourceStores;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newUid?: () => string;
  readonly log?: (line: string) => void;
  /** Modes without settings, in order; `authorization` says more. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  readonly authorization?: AuthorizationSetup | undefined;
  /** Knows static tokens. */
  readonly tokens?: readonly TokenAuthenticator[];
  readonly anonymousAuth?: boolean;
  readonly serviceAccounts?: {
    readonly issuers: readonly string[];
    readonly verifiers: readonly TokenVerifier[];
    readonly tokenIssuer?: TokenIssuer;
    readonly audiences?: readonly string[];
  };
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** What single plugins are told. */
  readonly pluginConfigurations?: PluginConfigurations | undefined;
  /** How webhooks of the operator are reached: files are read for it. */
  readonly connectWebhook?: WebhookConnector;
  readonly tolerationSeconds?: TolerationSeconds;
  /** `AllAlpha=true,PodLogsQuerySplitStreams=false` */
  readonly featureGates?: readonly string[];
  /** `api/all=true`, `apps/v1=false`, … */
  readonly runtimeConfig?: RuntimeSettings;
  /** Resources without a watch cache; none when absent. */
  readonly isUncached?: IsUncached;
  /** One range, or one of each family; the first is the default family. */
  readonly serviceClusterIpRanges?: readonly string[];
  readonly serviceNodePortRange?: string;
  /** Of this machine; told in the events of the server. */
  readonly hostName?: string;
  readonly allowPrivileged?: boolean;
  readonly eventTtlSeconds?: number;
  readonly advertiseAddress?: string;
  readonly limits?: InFlightLimits;
  readonly requestTimeoutMs?: number;
  readonly minRequestTimeoutMs?: number;
  readonly corsAllowedOrigins?: readonly RegExp[];
  readonly strictTransportSecurity?: readonly string[];
  readonly logEveryRequest?: boolean;
  readonly kubelets?: KubeletConnection;
  /** The way to pods, services and, without `kubelets`, to nodes; over the network when absent. */
  readonly forwarder?: Forwarder;
  readonly kubeletPreferredAddressTypes?: readonly string[];
  /** Whether endpoints of extension servers are asked, not the addresses of their services. */
  readonly asksExtensionEndpoints?: boolean;
  readonly gzip?: ServerServices['gzip'];
  /** What OpenAPI says of types and fields; nothing when absent. */
  readonly descriptionOf?: DescriptionOf;
  /** PEM of `--client-ca-file` and of the request-header authority, published for extension servers. */
  readonly publishedAuthentication?: Readonly<Record<string, string>>;
  readonly observer?: StepObserver | undefined;
  readonly shutdownDelayMs?: number;
  readonly auditBackend?: AuditBackend | undefined;
}

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
  start(listen?: () => Promise<Listener & { readonly port: number }>): Promise<void>;
  /** In the original's order: readiness fails, delay, listener closed, drained, audit flushed, store closed. */
  stop(): Promise<void>;
}

/** How long what is under way may take when the server stops. */
const drainMsMax = 60_000;

const nothingListens: Listener & { readonly port: number } = {
  port: 6443,
  stopListening: () => undefined,
  close: () => Promise.resolve(),
};

/** What the original calls the servers' addresses. */
const serverAddresses = { group: '', resource: 'apiServerIPInfo' };
/** And the book of node ports. */
const nodePortAllocations = { group: '', resource: 'servicenodeportallocations' };
const serviceRangeDefault = '10.0.0.0/24';
const nodePortRangeDefault: PortRange = { base: 30_000, size: 2_768 };
const eventTtlSecondsDefault = 60 * 60;
const requestTimeoutMsDefault = 60_000;
const minRequestTimeoutMsDefault = 1_800_000;
const issuerDefault = 'https://kubernetes.default.svc';

/** @throws Error for options that contradict each other, StorageError when the store can't be read */
export async function assembleKubeApiServer(options: AssemblyOptions): Promise<AssembledApiServer> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const log = options.log ?? (() => undefined);
  const { storage, where = oneStore(options.storage) } = options;
  const features = featureGates(options.featureGates ?? []);
  const metrics = new Metrics();

  let stores: StoreTable | undefined;
  const objects = storedObjects((group, resource) => stores?.find(group, resource)?.main);
  const policy = new PolicyFollower({ storage });
  const flows = new FlowClassifier(storage);
  const nodes = new NodeGraphFollower(storage);
  const authorization = options.authorization ?? authorizationOf(options);
  const authorizer = authorizerChain(authorization, {
    clock,
    random,
    features,
    book: policy.book,
    graph: nodes.graph,
  });
  const audiences = audiencesOf(options);
  const tokensFor = (wanted: readonly string[]) =>
    unionTokenAuthenticator([
      ...(options.tokens ?? []),
      ...serviceAccountAuthenticators(options, wanted, clock, objects),
    ]);
  const tokens = tokensFor(audiences);
  const forwarder = options.forwarder ?? networkForwarder({});
  const services: Services = {
    clock,
    random,
    features,
    objects,
    authorizer,
    allowPrivileged: options.allowPrivileged ?? true,
    eventTtlSeconds: options.eventTtlSeconds ?? eventTtlSecondsDefault,
    tokensFor,
    rules: ruleLister(objects),
    resolveRules: ruleResolver(() => authorizer.modes(), ruleLister(objects), authorization.policies ?? []),
    tokenIssuer: options.serviceAccounts?.tokenIssuer,
    apiAudiences: audiences,
    kubelets: options.kubelets ?? networkKubelets(forwarder, options.kubeletPreferredAddressTypes),
    forwarder,
    storageHealthy: () => !isClosed,
    services: serviceAllocationOf({
      clock,
      random,
      objects,
      stores: () => stores!,
      storage,
      ledgerStorage: where.storageFor(nodePortAllocations),
      storedForm: where.storedForm(nodePortAllocations),
      ranges: options.serviceClusterIpRanges ?? [serviceRangeDefault],
      nodePorts: portRangeOf(options.serviceNodePortRange),
    }),
  };
  let isClosed = false;

  const config = runtimeConfig(options.runtimeConfig ?? {}, features);
  const installed = installGroups([...groups, apiregistrationGroup, apiextensionsGroup], {
    where,
    services,
    isUncached: options.isUncached ?? (() => false),
    runtimeConfig: config,
  });
  stores = installed.stores;
  const byName = (name: string) => installed.groups.filter((group) => group.name === name);
  const outer = [apiregistrationGroup.name, apiextensionsGroup.name];

  let self: Transport | undefined;
  let port = nothingListens.port;
  let isListening = false;
  const serverServices: ServerServices = {
    clock,
    random,
    newUid: options.newUid ?? randomUid,
    log,
    authorizer,
    metrics,
    gzip: options.gzip,
    registeredKind: registeredKinds(config),
    minRequestTimeoutMs: options.minRequestTimeoutMs ?? minRequestTimeoutMsDefault,
    admission: admissionChain(
      admissionPlugins(options.enableAdmissionPlugins ?? [], options.disableAdmissionPlugins ?? [], {
        objects,
        authorizer,
        random,
        quotas: quotaBook(stores, clock),
        createNamespace: async (name) => {
          const body = { object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } };
          await self!.send({ method: 'POST', path: '/api/v1/namespaces', headers: {}, body });
        },
        hasPodPresets: byName('settings.k8s.io').length > 0,
        clock,
        features,
        mappingsOf: resourceMapper(() => chain.groups()),
        configurations: options.pluginConfigurations ?? new Map(),
        connect: options.connectWebhook ?? noWebhooks,
        tolerationSeconds: options.tolerationSeconds ?? { notReady: 300, unreachable: 300 },
      }),
    ),
  };
  const apiServices = stores.of(apiregistrationGroup.name, 'apiservices').main;
  const extensions = new ExtensionClient({
    clock,
    forwarder,
    resolve: serviceResolver({
      objects,
      random,
      asksEndpoints: options.asksExtensionEndpoints ?? false,
      self: () => (isListening ? { host: '127.0.0.1', port: String(port) } : undefined),
    }),
  });
  const remote = new RemoteGroups({ clock, storage, apiServices, client: extensions });
  const chain = createServerChain({
    services: serverServices,
    remotes: () => remote.remotes,
    groups: {
      aggregator: byName(apiregistrationGroup.name),
      kubeApiServer: installed.groups.filter(({ name }) => !outer.includes(name)),
      apiExtensions: byName(apiextensionsGroup.name),
    },
    serverAddress: () => `${options.advertiseAddress ?? '127.0.0.1'}:${port}`,
  });
  const builtInGroups = chain.groups();
  const customResources = new CustomResourceServer({
    server: chain.apiExtensions,
    definitions: stores.of(apiextensionsGroup.name, 'customresourcedefinitions').main,
    apiServices,
    storage,
    storageFor: (resource) => where.storageFor(resource),
    services,
    transport: () => self!,
    log,
  });
  const availability = new AvailabilityController({
    clock,
    storage,
    objects,
    apiServices,
    services: stores.of('', 'services').main,
    endpointSlices: stores.of('discovery.k8s.io', 'endpointslices').main,
    probe: (apiService) => extensions.probe(apiService),
    transport: () => self!,
    log,
  });
  const outermost = withExtensionPaths({
    remote,
    client: extensions,
    services: serverServices,
    groups: chain.groups,
    own: chain.aggregator,
  });
  const inFlight = new RequestCounter();
  const life = new ServerLife({
    clock,
    log,
    inFlight,
    auditBackend: options.auditBackend,
    shutdownDelayMs: options.shutdownDelayMs ?? 0,
    drainMsMax,
  });
  const served = serveChain(outermost, {
    services: serverServices,
    authenticator: authenticatorOf(tokens, options.anonymousAuth ?? true),
    authorizer,
    limits: options.limits ?? inFlightDefaults,
    classifyFlow: (info, user) => flows.classOf(info, user),
    requestTimeoutMs: options.requestTimeoutMs ?? requestTimeoutMsDefault,
    allowedOrigins: options.corsAllowedOrigins ?? [],
    transportSecurityDirectives: options.strictTransportSecurity ?? [],
    logEveryRequest: options.logEveryRequest ?? false,
    auditBackend: options.auditBackend,
    stopping: life,
    inFlight,
  });
  const inProcess: AssembledApiServer['inProcess'] = (user, { structured = true } = {}) =>
    inProcessTransport({ serve: (incoming) => served.serve(incoming), structured, ...(user && { user }) });
  self = inProcess(systemUser);

  installPlainPaths(chain, {
    listedPaths: outermost.listedPaths,
    remotes: () => remote.remotes,
    metrics,
    life,
    log,
    services: serverServices,
    isStoreOpen: () => !isClosed,
    where,
    serviceAccounts: options.serviceAccounts,
    descriptionOf: options.descriptionOf,
  });
  const serviceRanges = options.serviceClusterIpRanges ?? [serviceRangeDefault];
  const bootstrapped = Promise.withResolvers<void>();
  bootstrapped.promise.catch(() => undefined);
  life.addPostStartHook({
    name: 'bootstrap-controller',
    start: () =>
      bootstrapServer({
        objects,
        transport: self!,
        log,
        clock,
        apiGroups: builtInGroups,
        serviceRanges,
        advertiseAddress: options.advertiseAddress ?? '127.0.0.1',
        isAlone: isLocal(storage),
        securePort: port,
        publishedAuthentication: options.publishedAuthentication ?? {},
        allocation: services.services,
        flows,
      }).then(bootstrapped.resolve, (failure: unknown) => {
        bootstrapped.reject(failure);
        throw failure;
      }),
  });
  const repair = serviceRepairOf({
    clock,
    log,
    storage,
    objects,
    stores,
    serviceRanges,
    transport: self,
    newUid: serverServices.newUid,
    allocation: services.services,
    instance: options.hostName ?? 'localhost',
  });
  life.addPostStartHook({
    name: 'start-service-ip-repair-controllers',
    start: () => bootstrapped.promise.then(() => repair.start()),
  });
  // Who has a store to itself has no peers.
  const peers = isLocal(storage)
    ? undefined
    : new Peers({
        clock,
        log,
        newUid: serverServices.newUid,
        transport: self,
        leaseStorage: where.storageFor(serverAddresses),
        storedForm: where.storedForm(serverAddresses),
        hostName: options.hostName ?? 'localhost',
        advertiseAddress: options.advertiseAddress ?? '127.0.0.1',
      });
  if (peers !== undefined) {
    life.addPostStartHook({
      name: 'start-kubernetes-service-controller',
      start: () => bootstrapped.promise.then(() => peers.start(port)),
    });
    life.addPreShutdownHook({ name: 'stop-kubernetes-service-controller', stop: () => peers.stop() });
  }
  await flows.start(
    stores.of('flowcontrol.apiserver.k8s.io', 'flowschemas').main,
    stores.of('flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations').main,
  );
  await policy.start({
    roles: stores.of('rbac.authorization.k8s.io', 'roles').main,
    clusterRoles: stores.of('rbac.authorization.k8s.io', 'clusterroles').main,
    roleBindings: stores.of('rbac.authorization.k8s.io', 'rolebindings').main,
    clusterRoleBindings: stores.of('rbac.authorization.k8s.io', 'clusterrolebindings').main,
  });
  if (isAnyNode(authorization)) {
    await nodes.start((group, resource) => installed.stores.find(group, resource)?.main);
  }
  const stopFollowing = authorization.follow?.((authorizers) => authorizer.exchange(authorizers));
  await customResources.start();
  await remote.start();
  await availability.start();
  return {
    chain,
    served,
    stores,
    metrics,
    storage,
    services,
    inProcess,
    async start(listen = () => Promise.resolve(nothingListens)) {
      await life.start(async () => {
        const listener = await listen();
        port = listener.port;
        isListening = listener !== nothingListens;
        return listener;
      });
      await policy.caughtUp();
    },
    async stop() {
      await life.stop();
      isClosed = true;
      repair.stop();
      policy.stop();
      nodes.stop();
      stopFollowing?.();
      flows.stop();
      customResources.stop();
      availability.stop();
      remote.stop();
      for (const { main } of installed.stores.all()) main.cache.close();
      await storage.close();
    },
  };
}

const authorizationOf = ({
  authorizationModes = ['AlwaysAllow'],
  connectWebhook = noWebhooks,
}: AssemblyOptions): AuthorizationSetup => ({
  authorizers: authorizationModes.map(plainAuthorizer),
  connect: connectWebhook,
});

const isAnyNode = ({ authorizers }: AuthorizationSetup): boolean =>
  authorizers.some(({ type }) => type === 'Node');

const authenticatorOf = (tokens: TokenAuthenticator, anonymousAuth: boolean): Authenticator =>
  unlessRefused(
    unionAuthenticator([inProcessUser, clientCertificate, bearerToken(tokens)]),
    anonymous(anonymousAuth),
  );

const audiencesOf = ({ serviceAccounts }: AssemblyOptions): readonly string[] =>
  serviceAccounts?.audiences ?? serviceAccounts?.issuers.slice(0, 1) ?? [issuerDefault];

function serviceAccountAuthenticators(
  { serviceAccounts }: AssemblyOptions,
  audiences: readonly string[],
  clock: Clock,
  objects: Services['objects'],
): TokenAuthenticator[] {
  if (serviceAccounts === undefined) return [];
  const { issuers, verifiers } = serviceAccounts;
  return [serviceAccountTokens({ issuers, verifiers, audiences, clock, objects })];
}

function portRangeOf(text: string | undefined): PortRange {
  if (text === undefined) return nodePortRangeDefault;
  const range = parsePortRange(text);
  if (range === undefined) throw new Error(`invalid port range ${JSON.stringify(text)}`);
  return range;
}
