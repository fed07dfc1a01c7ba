/** Where and how each resource is stored: the store, the encoding, the encryption. */
import type { Clock, GroupResource } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import { encrypted } from '@coxswain/storage/encryption/encrypted-storage.ts';
import { compactTogether } from '@coxswain/storage/etcd/compact-together.ts';
import type { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { isLocal, type Storage } from '@coxswain/storage/storage.ts';
import type { EncryptionAtRest, EncryptionSettings } from './encryption/encryption-at-rest.ts';
import type { Dial } from './egress/dial.ts';
import type { EtcdSettings } from './etcd-settings.ts';
import { awaitEtcd } from './await-etcd.ts';
import { openEtcd, storedKeyIn } from './etcd-stores.ts';

export interface ResourceStores {
  storageFor(resource: GroupResource): Storage;
  storedForm(resource: GroupResource): StoredForm;
  /** For /livez, /healthz and /readyz. */
  readonly aliveChecks: readonly HealthCheck[];
  /** For /readyz. */
  readonly readyChecks: readonly HealthCheck[];
  /** For /healthz and /readyz. */
  readonly keyChecks: readonly HealthCheck[];
  /** For /readyz, if there are no `readyChecks`: a problem that keeps the store from working properly. */
  problem(): string | undefined;
}

export interface ServerStores extends ResourceStores {
  /** The store of all resources without another one. */
  readonly main: Storage;
  /** Closes everything but the main store. */
  close(): Promise<void>;
}

export interface ServerStoresSettings {
  readonly etcd?: EtcdSettings | undefined;
  readonly encryption?: EncryptionSettings | undefined;
  /** On an etcd upstream's default is protobuf; in a store of this server's own it is JSON. */
  readonly storedForm?: StoredForm | undefined;
  readonly compactionMs: number;
}

export interface ServerStoresParts {
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly log: (line: string) => void;
  readonly metrics: Metrics;
  /** This API server's id among its peers. */
  readonly serverId: string;
  /** The dialer for etcds, unless connections are direct. */
  readonly dial?: Dial | undefined;
}

/**
 * @param openOther opens the store that is used without an etcd
 * @throws Error with upstream's message for invalid settings
 */
export async function serverStores(
  { etcd, encryption, storedForm, compactionMs }: ServerStoresSettings,
  openOther: () => Promise<Storage>,
  parts: ServerStoresParts,
): Promise<ServerStores> {
  const etcds = etcd && (await openEtcd(etcd, parts));
  if (etcd && etcds)
    await awaitEtcd(etcds.main, { ...parts, servers: etcd.servers }).catch(async (failure: unknown) => {
      await Promise.all([...etcds.all].map((store) => store.close()));
      throw failure;
    });
  const atRest = encryption && (await encryptedAtRest(encryption, parts));
  const main = etcds?.main ?? (await openOther());
  const compactions = [...(etcds?.all ?? [])].map((store: EtcdStorage) =>
    compactTogether(store, parts.clock, compactionMs, parts.log),
  );
  const form = storedForm ?? (etcds === undefined ? 'json' : 'protobuf');
  const storageOf = (resource: GroupResource) => etcds?.storageFor(resource) ?? main;
  return {
    main,
    storageFor: (resource) => encryptedBy(atRest, resource, storageOf(resource), storedKeyIn(etcd)),
    storedForm: formsOf(form),
    aliveChecks: etcds?.aliveChecks ?? [],
    readyChecks: etcds?.readyChecks ?? [],
    keyChecks: atRest?.healthChecks ?? [],
    problem: () => problemOf(main),
    async close() {
      for (const compaction of compactions) compaction.stop();
      atRest?.close();
      await etcds?.closeOthers();
    },
  };
}

/** The code for encryption is loaded only if it is configured. */
async function encryptedAtRest(
  settings: EncryptionSettings,
  { clock, newUid, log, metrics, serverId }: ServerStoresParts,
): Promise<EncryptionAtRest> {
  const { encryptionAtRest } = await import('./encryption/encryption-at-rest.ts');
  const { EncryptionMetrics } = await import('./encryption/encryption-metrics.ts');
  return encryptionAtRest(settings, {
    clock,
    newUid,
    log,
    metrics: new EncryptionMetrics(metrics, serverId, clock),
  });
}

/** As upstream stores them. */
const alwaysJson: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

const formsOf =
  (form: StoredForm): ResourceStores['storedForm'] =>
  ({ group }) =>
    alwaysJson.has(group) ? 'json' : form;

function encryptedBy(
  atRest: EncryptionAtRest | undefined,
  resource: GroupResource,
  storage: Storage,
  storedKey: (key: string) => string,
): Storage {
  if (atRest === undefined) return storage;
  return encrypted(storage, { transformer: () => atRest.transformerFor(resource), storedKey });
}

/** Everything in one store, as JSON. */
export const oneStore = (storage: Storage): ResourceStores => ({
  ...storesOf(() => storage, 'json'),
  problem: () => problemOf(storage),
});

/** Stores that are managed elsewhere. @param form the encoding of all groups but those that are always JSON */
export const storesOf = (storageFor: ResourceStores['storageFor'], form: StoredForm): ResourceStores => ({
  storageFor,
  storedForm: formsOf(form),
  aliveChecks: [],
  readyChecks: [],
  keyChecks: [],
  problem: () => undefined,
});

const problemOf = (storage: Storage): string | undefined => (isLocal(storage) ? storage.problem : undefined);
