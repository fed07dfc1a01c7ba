/** KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1: the schema of the `--config` file. */
import {
  always,
  bool,
  bytes,
  duration,
  embedded,
  float64,
  int32,
  int64,
  list,
  named,
  optional,
  pointer,
  rawExtension,
  string,
  struct,
  type Static,
} from '@coxswain/schema/type.ts';

export const configurationVersion = 'kubescheduler.config.k8s.io/v1';
export const configurationKind = 'KubeSchedulerConfiguration';

/** The type fields of every document, and of plugin arguments. */
export const typeMeta = { kind: optional(0, string), apiVersion: optional(0, string) };

const Plugin = struct('config/v1.Plugin', {
  name: always(1, string),
  /** The weight of its scores; 0 means 1. */
  weight: pointer(2, int32),
});

const PluginSet = struct('config/v1.PluginSet', {
  enabled: optional(1, list(Plugin)),
  /** `*` disables all default plugins. */
  disabled: optional(2, list(Plugin)),
});

/** The plugins enabled and disabled at each extension point, and at all that a plugin implements (`multiPoint`). */
const Plugins = struct('config/v1.Plugins', {
  preEnqueue: optional(1, PluginSet),
  queueSort: optional(2, PluginSet),
  preFilter: optional(3, PluginSet),
  filter: optional(4, PluginSet),
  postFilter: optional(5, PluginSet),
  preScore: optional(6, PluginSet),
  score: optional(7, PluginSet),
  reserve: optional(8, PluginSet),
  permit: optional(9, PluginSet),
  preBind: optional(10, PluginSet),
  bind: optional(11, PluginSet),
  postBind: optional(12, PluginSet),
  multiPoint: optional(13, PluginSet),
  placementGenerate: optional(14, PluginSet),
  placementScore: optional(15, PluginSet),
});

const PluginConfig = struct('config/v1.PluginConfig', {
  name: always(1, string),
  args: optional(2, rawExtension),
});

const Profile = struct('config/v1.KubeSchedulerProfile', {
  schedulerName: pointer(1, string),
  /** Overrides the value of the whole configuration. */
  percentageOfNodesToScore: pointer(2, int32),
  plugins: pointer(3, Plugins),
  pluginConfig: optional(4, list(PluginConfig)),
});

const ExtenderTlsConfig = struct('config/v1.ExtenderTLSConfig', {
  /** Accepts any certificate. */
  insecure: optional(1, bool),
  serverName: optional(2, string),
  certFile: optional(3, string),
  keyFile: optional(4, string),
  caFile: optional(5, string),
  certData: optional(6, bytes),
  keyData: optional(7, bytes),
  caData: optional(8, bytes),
});

const ManagedResource = struct('config/v1.ExtenderManagedResource', {
  name: always(1, string),
  /** Whether NodeResourcesFit ignores the resource. */
  ignoredByScheduler: optional(2, bool),
});

const Extender = struct('config/v1.Extender', {
  urlPrefix: always(1, string),
  filterVerb: optional(2, string),
  preemptVerb: optional(3, string),
  prioritizeVerb: optional(4, string),
  /** The factor for its scores. */
  weight: optional(5, int64),
  bindVerb: optional(6, string),
  enableHTTPS: optional(7, bool),
  tlsConfig: pointer(8, ExtenderTlsConfig),
  httpTimeout: optional(9, duration),
  /** Whether it caches nodes itself, so that it receives only their names. */
  nodeCacheCapable: optional(10, bool),
  /** It is called only for pods that request one of these; for all pods if empty. */
  managedResources: optional(11, list(ManagedResource)),
  /** Whether its failure does not prevent scheduling. */
  ignorable: optional(12, bool),
});

const LeaderElection = struct('v1alpha1.LeaderElectionConfiguration', {
  leaderElect: pointer(1, bool),
  leaseDuration: optional(2, duration),
  renewDeadline: optional(3, duration),
  retryPeriod: optional(4, duration),
  resourceLock: always(5, string),
  resourceName: always(6, string),
  resourceNamespace: always(7, string),
});

const ClientConnection = struct('v1alpha1.ClientConnectionConfiguration', {
  kubeconfig: always(1, string),
  acceptContentTypes: always(2, string),
  contentType: always(3, string),
  qps: always(4, named('float32', float64)),
  burst: always(5, int32),
});

const Debugging = struct('v1alpha1.DebuggingConfiguration', {
  enableProfiling: pointer(1, bool),
  enableContentionProfiling: pointer(2, bool),
});

export const SchedulerConfiguration = struct('config/v1.KubeSchedulerConfiguration', {
  ...typeMeta,
  parallelism: pointer(2, int32),
  leaderElection: optional(3, LeaderElection),
  clientConnection: optional(4, ClientConnection),
  debugging: embedded(5, Debugging),
  /** 0 derives the percentage from the number of nodes. */
  percentageOfNodesToScore: pointer(6, int32),
  podInitialBackoffSeconds: pointer(7, int64),
  podMaxBackoffSeconds: pointer(8, int64),
  profiles: optional(9, list(Profile)),
  extenders: optional(10, list(Extender)),
  delayCacheUntilActive: optional(11, bool),
});

/** The decoded configuration. */
export type SchedulerConfiguration = Static<typeof SchedulerConfiguration>;
export type ExtenderConfiguration = Static<typeof Extender>;
export type ExtenderTls = Static<typeof ExtenderTlsConfig>;
export type PluginSet = Static<typeof PluginSet>;
export type PluginPoint = keyof Static<typeof Plugins>;

type Given<T> = T extends readonly (infer E)[]
  ? readonly Given<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Given<T[K]> | undefined }
    : T;

/** The configuration as provided by a user; omitted fields get their defaults. */
export type KubeSchedulerConfiguration = Given<SchedulerConfiguration>;
export type ProfileConfiguration = NonNullable<KubeSchedulerConfiguration['profiles']>[number];
