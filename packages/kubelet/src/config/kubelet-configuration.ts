/** KubeletConfiguration of kubelet.config.k8s.io/v1beta1: each setting with its default. */
import type { Live } from '@coxswain/apimachinery';
import type * as core from '@coxswain/api/core/v1/index.ts';
import {
  anything,
  bool,
  decimal,
  duration,
  group,
  integer,
  period,
  readSettings,
  text,
  textMap,
  texts,
  type SettingsOf,
} from './setting-kinds.ts';

/** The users of a pod with a user namespace: all that fit in 16 bits. */
export const idsPerPodDefault = 65_536;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export type Taint = Live<core.Taint>;

const authentication = group(
  {
    x509: group({ clientCAFile: text() }, 'authentication.x509'),
    webhook: group({ enabled: bool(true), cacheTTL: period(2 * minute) }, 'authentication.webhook'),
    anonymous: group({ enabled: bool(false) }, 'authentication.anonymous'),
  },
  'authentication',
);

const authorization = group(
  {
    mode: text('Webhook'),
    webhook: group(
      { cacheAuthorizedTTL: period(5 * minute), cacheUnauthorizedTTL: period(30 * second) },
      'authorization.webhook',
    ),
  },
  'authorization',
);

export const settingTable = {
  enableServer: bool(true),
  staticPodPath: text(),
  podLogsDir: text('/var/log/pods'),
  syncFrequency: period(minute),
  fileCheckFrequency: period(20 * second),
  httpCheckFrequency: period(20 * second),
  staticPodURL: text(),
  staticPodURLHeader: anything<Readonly<Record<string, readonly string[]>>>({}),
  address: text('0.0.0.0'),
  port: integer(10_250),
  readOnlyPort: integer(0),
  tlsCertFile: text(),
  tlsPrivateKeyFile: text(),
  tlsCipherSuites: texts(),
  tlsCurvePreferences: anything<readonly number[]>([]),
  tlsMinVersion: text(),
  rotateCertificates: bool(false),
  serverTLSBootstrap: bool(false),
  authentication,
  authorization,
  registryPullQPS: integer(5),
  registryBurst: integer(10),
  imagePullCredentialsVerificationPolicy: text('NeverVerifyPreloadedImages'),
  preloadedImagesVerificationAllowlist: texts(),
  eventRecordQPS: integer(50),
  eventBurst: integer(100),
  enableDebuggingHandlers: bool(true),
  enableContentionProfiling: bool(false),
  healthzPort: integer(10_248),
  healthzBindAddress: text('127.0.0.1'),
  oomScoreAdj: integer(-999),
  clusterDomain: text(),
  clusterDNS: texts(),
  streamingConnectionIdleTimeout: period(4 * hour),
  nodeStatusUpdateFrequency: period(10 * second),
  nodeStatusReportFrequency: period(5 * minute),
  nodeLeaseDurationSeconds: integer(40),
  imageMinimumGCAge: period(2 * minute),
  imageMaximumGCAge: duration(0),
  imageGCHighThresholdPercent: integer(85),
  imageGCLowThresholdPercent: integer(80),
  volumeStatsAggPeriod: period(minute),
  kubeletCgroups: text(),
  systemCgroups: text(),
  cgroupRoot: text(),
  cgroupsPerQOS: bool(true),
  cgroupDriver: text('cgroupfs'),
  cpuManagerPolicy: text('none'),
  singleProcessOOMKill: anything<boolean | undefined>(undefined),
  cpuManagerPolicyOptions: textMap(),
  cpuManagerReconcilePeriod: period(10 * second),
  memoryManagerPolicy: text('None'),
  topologyManagerPolicy: text('none'),
  topologyManagerScope: text('container'),
  topologyManagerPolicyOptions: textMap(),
  qosReserved: textMap(),
  runtimeRequestTimeout: period(2 * minute),
  hairpinMode: text('promiscuous-bridge'),
  maxPods: integer(110),
  podCIDR: text(),
  podPidsLimit: integer(-1),
  resolvConf: text('/etc/resolv.conf'),
  runOnce: bool(false),
  cpuCFSQuota: bool(true),
  cpuCFSQuotaPeriod: duration(100),
  nodeStatusMaxImages: integer(50),
  maxOpenFiles: integer(1_000_000),
  contentType: text('application/vnd.kubernetes.protobuf'),
  kubeAPIQPS: integer(50),
  kubeAPIBurst: integer(100),
  serializeImagePulls: bool(true),
  maxParallelImagePulls: anything<number | undefined>(undefined),
  evictionHard: anything<Readonly<Record<string, string>> | undefined>(undefined),
  evictionSoft: textMap(),
  evictionSoftGracePeriod: textMap(),
  evictionPressureTransitionPeriod: period(5 * minute),
  evictionMaxPodGracePeriod: integer(0),
  evictionMinimumReclaim: textMap(),
  mergeDefaultEvictionSettings: bool(false),
  podsPerCore: integer(0),
  enableControllerAttachDetach: bool(true),
  protectKernelDefaults: bool(false),
  makeIPTablesUtilChains: bool(true),
  iptablesMasqueradeBit: integer(14),
  iptablesDropBit: integer(15),
  featureGates: anything<Readonly<Record<string, boolean>>>({}),
  failSwapOn: bool(true),
  memorySwap: anything<{ readonly swapBehavior?: string }>({}),
  containerLogMaxSize: text('10Mi'),
  containerLogMaxFiles: integer(5),
  containerLogMaxWorkers: integer(1),
  containerLogMonitorInterval: duration(10 * second),
  configMapAndSecretChangeDetectionStrategy: text('Watch'),
  systemReserved: textMap(),
  kubeReserved: textMap(),
  reservedSystemCPUs: text(),
  showHiddenMetricsForVersion: text(),
  systemReservedCgroup: text(),
  kubeReservedCgroup: text(),
  enforceNodeAllocatable: texts(['pods']),
  allowedUnsafeSysctls: texts(),
  volumePluginDir: text('/usr/libexec/kubernetes/kubelet-plugins/volume/exec/'),
  providerID: text(),
  kernelMemcgNotification: bool(false),
  logging: anything<object>({}),
  enableSystemLogHandler: bool(true),
  enableSystemLogQuery: bool(false),
  shutdownGracePeriod: duration(0),
  shutdownGracePeriodCriticalPods: duration(0),
  shutdownGracePeriodByPodPriority: anything<
    readonly { readonly priority: number; readonly shutdownGracePeriodSeconds: number }[]
  >([]),
  crashLoopBackOff: group({ maxContainerRestartPeriod: duration(5 * minute) }, 'crashLoopBackOff'),
  reservedMemory: anything<readonly object[]>([]),
  enableProfilingHandler: bool(true),
  enableDebugFlagsHandler: bool(true),
  seccompDefault: bool(false),
  memoryThrottlingFactor: decimal(0.9),
  memoryReservationPolicy: text('None'),
  registerWithTaints: anything<readonly Taint[]>([]),
  registerNode: bool(true),
  tracing: anything<object | undefined>(undefined),
  localStorageCapacityIsolation: bool(true),
  containerRuntimeEndpoint: text(),
  imageServiceEndpoint: text(),
  failCgroupV1: bool(true),
  userNamespaces: anything<{ readonly idsPerPod?: number }>({}),
} as const;

export type KubeletSettings = SettingsOf<typeof settingTable>;

export const configurationVersion = 'kubelet.config.k8s.io/v1beta1';

export const defaultSettings: KubeletSettings = readSettings(settingTable, {}, '');

/** @throws Error for another kind of document, unknown fields, and values of the wrong type */
export function readKubeletConfiguration(document: unknown): KubeletSettings {
  const { apiVersion = '', kind = '', ...rest } = (document ?? {}) as Readonly<Record<string, unknown>>;
  if (kind !== 'KubeletConfiguration' || apiVersion !== configurationVersion)
    throw new Error(`no kind "${String(kind)}" is registered for version "${String(apiVersion)}"`);
  return { ...readSettings(settingTable, rest, ''), ...reportsAsOftenAsItLooks(rest) };
}

/**
 * If only the update frequency of the node status is set, the report frequency follows it: they used to be a single
 * setting.
 */
function reportsAsOftenAsItLooks({
  nodeStatusUpdateFrequency,
  nodeStatusReportFrequency,
}: Readonly<Record<string, unknown>>): Partial<KubeletSettings> {
  const { update, report } = readSettings(
    { update: duration(0), report: duration(0) },
    { update: nodeStatusUpdateFrequency, report: nodeStatusReportFrequency },
    '',
  );
  return update !== 0 && report === 0 ? { nodeStatusReportFrequency: update } : {};
}
