/** What decides about an API server: as one that embeds it says it, or the flags of the program. */
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import type { Storage } from '@coxswain/storage';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { AuthenticationFlags } from './authentication/authentication-flags.ts';
import type { AssemblyOptions } from './server/options.ts';
import type { EncryptionSettings } from './encryption/encryption-at-rest.ts';
import type { EgressSelector } from './egress/dial.ts';
import type { EtcdSettings } from './etcd-settings.ts';
import type { ClientCertificateFiles, KubeletTls } from './proxy/network-forwarder.ts';
import type { SecurePortSettings } from './serving/secure-port.ts';
import type { TlsFileSettings } from './serving/tls-files.ts';
import type { ServiceAccountSettings } from './server/service-account-settings.ts';

type Assembly = Omit<
  AssemblyOptions,
  | 'storage'
  | 'authentication'
  | 'serviceAccounts'
  | 'runtimeConfig'
  | 'gzip'
  | 'descriptionOf'
  | 'workers'
  | 'otherMetrics'
>;

export interface KubeApiServerSettings
  extends
    Assembly,
    Omit<TlsFileSettings, 'clientCaFiles' | 'advertiseAddress'>,
    Partial<SecurePortSettings>,
    ServiceAccountSettings {
  /** A store that is there already; it is closed with the server. */
  readonly storage?: Storage;
  /** The directory of the embedded store. */
  readonly dataDir?: string | undefined;
  /** 'relaxed': without a sync for every commit; the last writes before a loss of power may be gone. */
  readonly durability?: Durability;
  /** The size at which the embedded store takes no more. 0: as much as the disk takes. */
  readonly quotaBytes?: number;
  /** How long a store of this process keeps the past. */
  readonly historyMs?: number;
  /** The etcd to store in. */
  readonly etcd?: EtcdSettings;
  readonly encryption?: EncryptionSettings;
  /** How values are written: as protobuf in an etcd, else as JSON, when absent. */
  readonly storedForm?: StoredForm;
  /** `api/all=true,apps/v1=false` */
  readonly runtimeConfig?: string | undefined;
  /** Nothing listens without one; 0 is any free port. */
  readonly securePort?: number;
  readonly clientCaFile?: string;
  /** What of authentication isn't said by the other settings. */
  readonly authenticationFlags?: Partial<AuthenticationFlags>;
  /** How this server shows itself to kubelets, and knows them. */
  readonly kubeletTls?: KubeletTls;
  /** What this server shows to extension servers. */
  readonly proxyClient?: ClientCertificateFiles;
  /** What connections of this server go through; straight ahead when absent. */
  readonly egress?: EgressSelector | undefined;
  /** Threads for large requests; none when absent. */
  readonly workers?: { readonly count: number; readonly settings: WorkerSettings };
  /** Threads that accept the connections; this one does when absent. */
  readonly servingThreads?: ServingThreadsSettings | undefined;
}

export interface ServingThreadsSettings {
  readonly count: number;
  /** Of the program; each thread reads the same flags. */
  readonly args: readonly string[];
  /** Takes the log of the threads, line by line as it is to be written. */
  readonly write: (text: string) => void;
}

const plain = [
  'advertiseAddress',
  'authorizationModes',
  'disableAdmissionPlugins',
  'enableAdmissionPlugins',
  'featureGates',
  'hostName',
  'emulationForwardCompatible',
  'runtimeConfig',
  'runtimeConfigEmulationForwardCompatible',
  'serviceClusterIpRanges',
  'version',
] as const satisfies readonly (keyof KubeApiServerSettings)[];

/** Settings without functions, which cross to another thread as they are. */
export type PlainSettings = Pick<KubeApiServerSettings, (typeof plain)[number]>;

export const plainSettings = (settings: Partial<KubeApiServerSettings>): PlainSettings =>
  Object.fromEntries(plain.filter((name) => name in settings).map((name) => [name, settings[name]]));

/** Where the thread has its settings from: it reads the flags of the program anew, or gets them. */
export type WorkerSettings =
  | { readonly kind: 'arguments'; readonly args: readonly string[] }
  | { readonly kind: 'plain'; readonly settings: PlainSettings };
