/** Creates an API server with its store, keys and port, from settings that name files. */
import { hostname, networkInterfaces } from 'node:os';
import { newUid as randomUid, systemClock, type Clock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { gzipCompression } from '@coxswain/apiserver/http/gzip.ts';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import { MemoryStorage, type Storage } from '@coxswain/storage';
import { authenticationDefaults } from './authentication/default-flags.ts';
import { loadAuthentication } from './authentication/load-authentication.ts';
import { parseRuntimeConfig } from './runtime-config.ts';
import { assembleKubeApiServer, type AssembledApiServer } from './assemble.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { storedDescriptions } from './descriptions.ts';
import type { EgressSelector } from './egress/dial.ts';
import { identityOf } from './peers/identity-lease.ts';
import type { Forwarder } from './proxy/forwarder.ts';
import { networkForwarder } from './proxy/network-forwarder.ts';
import { isLoopback } from './loopback-address.ts';
import { warnOfOpenKeys } from './open-keys.ts';
import { serverStores, type ServerStores } from './server-stores.ts';
import { isAnyAddress, openSecurePort, type OpenPort } from './serving/secure-port.ts';
import { lazyWebhookCaller } from './webhooks/lazy-webhook-caller.ts';
import type { ServingThreads } from './threads/serving-threads.ts';
import type { LargeRequestThreads } from './server/options.ts';
import { largeRequestThreads } from './workers/large-requests.ts';
import { RequestWorkers } from './workers/request-workers.ts';
import type { KubeApiServerSettings } from './settings.ts';
import { tlsFiles, type TlsFileSettings } from './serving/tls-files.ts';
import { serviceAccountsOf } from './server/service-account-settings.ts';

export interface KubeApiServer extends AssembledApiServer {
  /** `https://127.0.0.1:6443`, if a port is served. */
  readonly address: string | undefined;
}

/**
 * Resolves when the server serves and its store has the bootstrap objects.
 * @throws Error with a one-line message: an unreadable file, a port in use, a locked or corrupt data directory
 */
export async function createKubeApiServer(settings: KubeApiServerSettings): Promise<KubeApiServer> {
  const {
    dataDir: _dataDir,
    workers: _workers,
    runtimeConfig,
    securePort,
    bindAddress = '127.0.0.1',
    ...assembly
  } = settings;
  const { clock = systemClock, log = () => undefined } = settings;
  const { enabled } = featureGates(settings.featureGates ?? [], { version: settings.version });
  warnOfOpenKeys(secretFilesOf(settings), log);
  const serviceAccounts = await serviceAccountsOf(settings, { clock, log });
  const authentication = loadAuthentication(authenticationFlagsOf(settings), {
    clock,
    log,
    enabled,
    egress: settings.egress,
  });
  const files =
    securePort === undefined ? undefined : await tlsFiles(tlsFileSettings(settings), { clock, log });
  const metrics = new Metrics({
    settings: settings.observability?.metrics,
    describesItself: settings.mainThread === undefined,
  });
  settings.egress?.countIn(metrics);
  const serverId = identityOf(settings.hostName ?? hostname());
  const stores = await serverStores(
    { ...settings, compactionMs: settings.historyMs ?? historyMsDefault },
    () => openStorage(settings),
    {
      clock,
      newUid: settings.newUid ?? randomUid,
      log,
      metrics,
      serverId,
      dial: settings.egress?.dialOf('etcd'),
    },
  );
  const storage = stores.main;
  const workers = workersOf(settings, stores, { clock, log, metrics });
  const forwarder = settings.forwarder ?? forwarderOf(settings);
  let threads: ServingThreads | undefined;
  const server = await assembleKubeApiServer({
    hostName: hostname(),
    authorizationModes: ['RBAC'],
    ...assembly,
    metrics,
    authentication: authentication.setup,
    serviceAccounts,
    forwarder,
    ...(settings.egress && { webhookCaller: settings.webhookCaller ?? callerThrough(settings.egress) }),
    storage,
    where: stores,
    workers,
    ...(settings.servingThreads && {
      otherMetrics: {
        expositions: async () => (await threads?.expositions()) ?? [],
        reset: async () => threads?.resetMetrics(),
      },
    }),
    runtimeConfig: parseRuntimeConfig(runtimeConfig ?? ''),
    gzip: gzipCompression(),
    descriptionOf: storedDescriptions(),
    advertiseAddress: settings.advertiseAddress ?? reachableAddress(bindAddress),
    publishedAuthentication: {
      ...authentication.published,
      ...settings.publishedAuthentication,
    },
  }).catch(async (error: unknown) => {
    serviceAccounts.close?.();
    await stores.close();
    return closeAfter(storage, error);
  });
  let open: OpenPort | undefined;
  const listen = async () => {
    const port = { ...settings, bindAddress, securePort: securePort! };
    if (settings.servingThreads !== undefined) {
      const { ServingThreads: Threads } = await import('./threads/serving-threads.ts');
      open = threads = await Threads.start(settings.servingThreads, port, {
        clock,
        log,
        server,
        forwarder,
        auditPolicy: settings.audit?.policy,
      });
      return threads;
    }
    const serve: ServeRequest = (incoming) => server.served.serve(incoming);
    open = await openSecurePort(port, {
      files: files!,
      clock,
      log,
      serve: settings.mainThread?.beforeRequests(serve) ?? serve,
    });
    return open;
  };
  authentication.whenPublished((data) => void server.publishAuthentication(data));
  const stop = async () => {
    authentication.stop();
    threads?.stopListening();
    await server.stop();
    serviceAccounts.close?.();
    await stores.close();
  };
  await server.start(securePort === undefined ? undefined : listen).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    ...server,
    stop,
    get address() {
      return open?.address;
    },
  };
}

function workersOf(
  { workers }: KubeApiServerSettings,
  stores: ServerStores,
  parts: { readonly clock: Clock; readonly log: (line: string) => void; readonly metrics: Metrics },
): LargeRequestThreads | undefined {
  if (workers === undefined || workers.count === 0) return undefined;
  const storedForm = stores.storedForm({ group: '', resource: 'pods' });
  const threads = new RequestWorkers({
    ...workers,
    storageFor: (resource) => stores.storageFor(resource),
    storedForm,
    ...parts,
  });
  return largeRequestThreads(threads);
}

/** Upstream's compaction interval of an etcd. */
const historyMsDefault = 5 * 60 * 1000;

/** The recommended maximum for an etcd. */
const quotaBytesDefault = 8 * 1024 ** 3;

/** The address for clients: the bind address, or this machine's first address. */
function reachableAddress(bindAddress: string): string {
  if (!isAnyAddress(bindAddress) && !isLoopback(bindAddress)) return bindAddress;
  const outer = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return outer.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}

const forwarderOf = ({ kubeletTls = {}, proxyClient, egress }: KubeApiServerSettings): Forwarder =>
  networkForwarder(kubeletTls, proxyClient, egress?.dialOf('cluster'));

/** Webhooks behind services are in the cluster, those with URLs belong to the control plane. */
const callerThrough =
  (egress: EgressSelector): NonNullable<KubeApiServerSettings['webhookCaller']> =>
  (resolve) =>
    lazyWebhookCaller(resolve, {
      services: egress.dialOf('cluster'),
      addresses: egress.dialOf('controlplane'),
    });

const tlsFileSettings = (settings: KubeApiServerSettings): TlsFileSettings => ({
  ...settings,
  clientCaFiles: [
    settings.clientCaFile ?? '',
    settings.authenticationFlags?.requestHeader?.clientCaFile ?? '',
  ].filter((file) => file !== ''),
});

const authenticationFlagsOf = ({ clientCaFile = '', authenticationFlags }: KubeApiServerSettings) => ({
  ...authenticationDefaults,
  clientCaFile,
  ...authenticationFlags,
});

const secretFilesOf = (settings: KubeApiServerSettings): readonly string[] => [
  settings.tlsPrivateKeyFile ?? '',
  settings.serviceAccountSigningKeyFile ?? '',
  settings.authenticationFlags?.tokenAuthFile ?? '',
  settings.proxyClient?.keyFile ?? '',
  settings.kubeletTls?.keyFile ?? '',
];

async function closeAfter(storage: Storage, error: unknown): Promise<never> {
  await storage.close();
  throw error;
}

async function openStorage({
  storage,
  dataDir,
  durability = 'sync',
  quotaBytes = quotaBytesDefault,
  log,
  historyMs,
  clock = systemClock,
}: KubeApiServerSettings): Promise<Storage> {
  if (storage !== undefined) return storage;
  const past = historyMs === undefined ? {} : { historyMsMax: historyMs };
  if (dataDir !== undefined) {
    const { LmdbStorage } = await import('@coxswain/storage/engine/lmdb/lmdb-storage.ts');
    return new LmdbStorage({
      directory: dataDir,
      durability,
      quotaBytes,
      ...(log && { log }),
      clock,
      ...past,
    });
  }
  return new MemoryStorage({ clock, ...past });
}
