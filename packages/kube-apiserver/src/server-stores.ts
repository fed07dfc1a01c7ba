/** Where each resource is stored, and how: in which store, in which form, encrypted by what. */
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
  /** For /readyz, where there are no `readyChecks`: what keeps the store from storing as it should. */
  problem(): string | undefined;
}

export interface ServerStores extends ResourceStores {
  /** What is not of another store. */
  readonly main: Storage;
  /** Closes what is beside the main store. */
  close(): Promise<void>;
}

export interface ServerStoresSettings {
  readonly etcd?: EtcdSettings | undefined;
  readonly encryption?: EncryptionSettings | undefined;
  /** The original's default on an etcd is protobuf; what this server has to itself is JSON. */
  readonly storedForm?: StoredForm | undefined;
  readonly compactionMs: number;
}

export interface ServerStoresParts {
  readonly clock: Clock;
  readonly newUid: () => string;
  readonly log: (line: string) => void;
  readonly metrics: Metrics;
  /** The name that this API server goes by among others. */
  readonly serverId: string;
  /** The way to etcds, where it isn't straight ahead. */
  readonly dial?: Dial | undefined;
}

/**
 * @param openOther what is stored in when no etcd is given
 * @throws Error for settings that make no sense, in the original's words
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

/** What only they need who encrypt is loaded for them. */
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

/** As the original stores them. */
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

/** All in one store, as JSON. */
export const oneStore = (storage: Storage): ResourceStores => ({
  ...storesOf(() => storage, 'json'),
  problem: () => problemOf(storage),
});

/** Stores that somebody else looks after. @param form of all but those that are always JSON */
export const storesOf = (storageFor: ResourceStores['storageFor'], form: StoredForm): ResourceStores => ({
  storageFor,
  storedForm: formsOf(form),
  aliveChecks: [],
  readyChecks: [],
  keyChecks: [],
  problem: () => undefined,
});

const problemOf = (storage: Storage): string | undefined => (isLocal(storage) ? storage.problem : undefined);
