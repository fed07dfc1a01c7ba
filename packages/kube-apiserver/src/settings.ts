/** The settings of an API server, from an embedding program or from flags. */
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
  /** An existing store; it is closed with the server. */
  readonly storage?: Storage;
  /** The directory of the embedded store. */
  readonly dataDir?: string | undefined;
  /** 'relaxed': without a sync for every commit; the last writes before a power failure may be lost. */
  readonly durability?: Durability;
  /** The size at which the embedded store refuses writes. 0: limited only by the disk. */
  readonly quotaBytes?: number;
  /** How long an in-process store keeps history. */
  readonly historyMs?: number;
  /** The etcd to use. */
  readonly etcd?: EtcdSettings;
  readonly encryption?: EncryptionSettings;
  /** The encoding of stored values; if unset, protobuf in an etcd and JSON otherwise. */
  readonly storedForm?: StoredForm;
  /** `api/all=true,apps/v1=false` */
  readonly runtimeConfig?: string | undefined;
  /** Without a port nothing listens; 0 is any free port. */
  readonly securePort?: number;
  readonly clientCaFile?: string;
  /** Authentication flags not covered by the other settings. */
  readonly authenticationFlags?: Partial<AuthenticationFlags>;
  /** The TLS settings of connections to kubelets. */
  readonly kubeletTls?: KubeletTls;
  /** The client certificate for extension servers. */
  readonly proxyClient?: ClientCertificateFiles;
  /** The routes of outgoing connections; direct if unset. */
  readonly egress?: EgressSelector | undefined;
  /** Threads for large requests; none if unset. */
  readonly workers?: {
    readonly count: number;
    readonly settings: WorkerSettings;
    /** Whether only this thread reaches the Services of webhooks. */
    readonly callsWebhooks?: boolean;
  };
  /** Threads that accept the connections; this thread does if unset. */
  readonly servingThreads?: ServingThreadsSettings | undefined;
}

export interface ServingThreadsSettings {
  readonly count: number;
  readonly settings: ServingSettings;
  /** Receives the threads' log, formatted. */
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

/** Settings without functions, which can be sent to another thread. */
export type PlainSettings = Pick<KubeApiServerSettings, (typeof plain)[number]>;

export const plainSettings = (settings: Partial<KubeApiServerSettings>): PlainSettings =>
  Object.fromEntries(plain.filter((name) => name in settings).map((name) => [name, settings[name]]));

/**
 * The source of a serving thread's settings. With `plain` settings, the main thread is a whole cluster: only it reaches
 * nodes, pods and webhooks.
 */
export type ServingSettings =
  | { readonly kind: 'arguments'; readonly args: readonly string[] }
  | {
      readonly kind: 'plain';
      /** Without functions. */
      readonly settings: Partial<KubeApiServerSettings>;
      /** API groups that only the main thread serves. */
      readonly groupsOfMain: readonly string[];
    };

/** The source of a thread's settings: it parses the program's flags again, or receives the settings. */
export type WorkerSettings =
  | { readonly kind: 'arguments'; readonly args: readonly string[] }
  | { readonly kind: 'plain'; readonly settings: PlainSettings };
