/** KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1: what the file of `--config` may have. */
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

/** Of every document, and of the arguments of plugins. */
export const typeMeta = { kind: optional(0, string), apiVersion: optional(0, string) };

const Plugin = struct('config/v1.Plugin', {
  name: always(1, string),
  /** How much its scores count; 0 is 1. */
  weight: pointer(2, int32),
});

const PluginSet = struct('config/v1.PluginSet', {
  enabled: optional(1, list(Plugin)),
  /** `*` switches all default plugins off. */
  disabled: optional(2, list(Plugin)),
});

/** What is on and off at each extension point, and at all that a plugin has something for (`multiPoint`). */
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
  /** Goes before that of the configuration. */
  percentageOfNodesToScore: pointer(2, int32),
  plugins: pointer(3, Plugins),
  pluginConfig: optional(4, list(PluginConfig)),
});

const ExtenderTlsConfig = struct('config/v1.ExtenderTLSConfig', {
  /** Any certificate will do. */
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
  /** Whether NodeResourcesFit leaves it to the extender. */
  ignoredByScheduler: optional(2, bool),
});

const Extender = struct('config/v1.Extender', {
  urlPrefix: always(1, string),
  filterVerb: optional(2, string),
  preemptVerb: optional(3, string),
  prioritizeVerb: optional(4, string),
  /** What its scores are multiplied by. */
  weight: optional(5, int64),
  bindVerb: optional(6, string),
  enableHTTPS: optional(7, bool),
  tlsConfig: pointer(8, ExtenderTlsConfig),
  httpTimeout: optional(9, duration),
  /** Whether it knows the nodes itself: it gets their names only. */
  nodeCacheCapable: optional(10, bool),
  /** It is asked only of pods that want one of these; of all, when there are none. */
  managedResources: optional(11, list(ManagedResource)),
  /** Whether pods are scheduled without it where it fails. */
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
  /** 0 lets the number of nodes decide. */
  percentageOfNodesToScore: pointer(6, int32),
  podInitialBackoffSeconds: pointer(7, int64),
  podMaxBackoffSeconds: pointer(8, int64),
  profiles: optional(9, list(Profile)),
  extenders: optional(10, list(Extender)),
  delayCacheUntilActive: optional(11, bool),
});

/** As it was decoded. */
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

/** As somebody gives it: whatever is left out is as by default. */
export type KubeSchedulerConfiguration = Given<SchedulerConfiguration>;
export type ProfileConfiguration = NonNullable<KubeSchedulerConfiguration['profiles']>[number];
