/** Creates an API server with its store, keys and port, from settings that name files. */
import { hostname, networkInterfaces } from 'node:os';
import { newUid as randomUid, systemClock, type Clock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { gzipCompression } from '@coxswain/apiserver/http/gzip.ts';
import { MemoryStorage, type Storage } from '@coxswain/storage';
import { authenticationDefaults } from './authentication/default-flags.ts';
import { loadAuthentication, type LoadedAuthentication } from './authentication/load-authentication.ts';
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
import { isAnyAddress } from './serving/secure-port.ts';
import { bindAddressDefault, ServedPort } from './served-port.ts';
import { lazyWebhookCaller } from './webhooks/lazy-webhook-caller.ts';
import type { LargeRequestThreads } from './server/options.ts';
import { largeRequestThreads } from './workers/large-requests.ts';
import { RequestWorkers } from './workers/request-workers.ts';
import type { KubeApiServerSettings } from './settings.ts';
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
  const { clock = systemClock, log = () => undefined } = settings;
  warnOfOpenKeys(secretFilesOf(settings), log);
  const serviceAccounts = await serviceAccountsOf(settings, { clock, log });
  const authentication = authenticationOf(settings, { clock, log });
  const port = await ServedPort.prepare(settings, { clock, log });
  const metrics = metricsOf(settings);
  const stores = await storesOf(settings, { clock, log, metrics });
  const closeFiles = async () => {
    serviceAccounts.close?.();
    await stores.close();
  };
  const forwarder = settings.forwarder ?? forwarderOf(settings);
  const server = await assembleKubeApiServer({
    ...assemblyOf(settings),
    metrics,
    authentication: authentication.setup,
    publishedAuthentication: { ...authentication.published, ...settings.publishedAuthentication },
    serviceAccounts,
    forwarder,
    storage: stores.main,
    where: stores,
    workers: workersOf(settings, stores, { clock, log, metrics }),
    otherMetrics: port?.threadMetrics,
  }).catch(async (error: unknown) => {
    await closeFiles();
    await stores.main.close();
    throw error;
  });
  authentication.whenPublished((data) => void server.publishAuthentication(data));
  const stop = async () => {
    authentication.stop();
    port?.stopThreads();
    await server.stop();
    await closeFiles();
  };
  await server.start(port && (() => port.open(server, forwarder))).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    ...server,
    stop,
    get address() {
      return port?.address;
    },
  };
}

/** What the settings say about the server itself, apart from what is opened or read for it. */
const assemblyOf = ({
  dataDir: _dataDir,
  workers: _workers,
  securePort: _securePort,
  runtimeConfig = '',
  bindAddress = bindAddressDefault,
  ...assembly
}: KubeApiServerSettings) => ({
  hostName: hostname(),
  authorizationModes: ['RBAC'] as const,
  ...assembly,
  ...(assembly.egress && { webhookCaller: assembly.webhookCaller ?? callerThrough(assembly.egress) }),
  runtimeConfig: parseRuntimeConfig(runtimeConfig),
  gzip: gzipCompression(),
  descriptionOf: storedDescriptions(),
  advertiseAddress: assembly.advertiseAddress ?? reachableAddress(bindAddress),
});

interface Surroundings {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

function authenticationOf(settings: KubeApiServerSettings, surroundings: Surroundings): LoadedAuthentication {
  const { enabled } = featureGates(settings.featureGates ?? [], { version: settings.version });
  const { clientCaFile = '', authenticationFlags, egress } = settings;
  const flags = { ...authenticationDefaults, clientCaFile, ...authenticationFlags };
  return loadAuthentication(flags, { ...surroundings, enabled, egress });
}

function metricsOf({ observability, mainThread, egress }: KubeApiServerSettings): Metrics {
  const metrics = new Metrics({
    settings: observability?.metrics,
    describesItself: mainThread === undefined,
  });
  egress?.countIn(metrics);
  return metrics;
}

const storesOf = (
  settings: KubeApiServerSettings,
  parts: Surroundings & { readonly metrics: Metrics },
): Promise<ServerStores> =>
  serverStores(
    { ...settings, compactionMs: settings.historyMs ?? historyMsDefault },
    () => openStorage(settings),
    {
      ...parts,
      newUid: settings.newUid ?? randomUid,
      serverId: identityOf(settings.hostName ?? hostname()),
      dial: settings.egress?.dialOf('etcd'),
    },
  );

function workersOf(
  { workers }: KubeApiServerSettings,
  stores: ServerStores,
  parts: Surroundings & { readonly metrics: Metrics },
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

const forwarderOf = ({ kubeletTls = {}, proxyClient, egress, clock }: KubeApiServerSettings): Forwarder =>
  networkForwarder(kubeletTls, proxyClient, egress?.dialOf('cluster'), clock);

/** Webhooks behind services are in the cluster, those with URLs belong to the control plane. */
const callerThrough =
  (egress: EgressSelector): NonNullable<KubeApiServerSettings['webhookCaller']> =>
  (resolve) =>
    lazyWebhookCaller(resolve, {
      services: egress.dialOf('cluster'),
      addresses: egress.dialOf('controlplane'),
    });

const secretFilesOf = (settings: KubeApiServerSettings): readonly string[] => [
  settings.tlsPrivateKeyFile ?? '',
  settings.serviceAccountSigningKeyFile ?? '',
  settings.authenticationFlags?.tokenAuthFile ?? '',
  settings.proxyClient?.keyFile ?? '',
  settings.kubeletTls?.keyFile ?? '',
];

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
