/** Upstream's flags that correspond to a setting of the configuration file; they override the file. */
import type { KubeletSettings, Taint } from './kubelet-configuration.ts';

/** The setting that a flag writes to, and how its value is parsed if the format differs. */
interface FlagSetting {
  readonly path: readonly string[];
  readonly read?: (value: unknown) => unknown;
}

const to = (path: string, read?: FlagSetting['read']): FlagSetting => ({
  path: path.split('.'),
  ...(read === undefined ? {} : { read }),
});

/** By the flag's key, or by its name if simulated nodes ignore the flag. */
export const flagSettings: Readonly<Record<string, FlagSetting>> = {
  'enable-server': to('enableServer'),
  'pod-manifest-path': to('staticPodPath'),
  'sync-frequency': to('syncFrequency'),
  'file-check-frequency': to('fileCheckFrequency'),
  address: to('address'),
  port: to('port'),
  'read-only-port': to('readOnlyPort'),
  'tls-cert-file': to('tlsCertFile'),
  'tls-private-key-file': to('tlsPrivateKeyFile'),
  'tls-cipher-suites': to('tlsCipherSuites'),
  'tls-min-version': to('tlsMinVersion'),
  'rotate-certificates': to('rotateCertificates'),
  'anonymous-auth': to('authentication.anonymous.enabled'),
  'authentication-token-webhook': to('authentication.webhook.enabled'),
  'authentication-token-webhook-cache-ttl': to('authentication.webhook.cacheTTL'),
  'client-ca-file': to('authentication.x509.clientCAFile'),
  'authorization-mode': to('authorization.mode'),
  'authorization-webhook-cache-authorized-ttl': to('authorization.webhook.cacheAuthorizedTTL'),
  'authorization-webhook-cache-unauthorized-ttl': to('authorization.webhook.cacheUnauthorizedTTL'),
  'registry-qps': to('registryPullQPS'),
  'registry-burst': to('registryBurst'),
  eventQps: to('eventRecordQPS'),
  eventBurst: to('eventBurst'),
  'healthz-port': to('healthzPort'),
  'healthz-bind-address': to('healthzBindAddress'),
  'oom-score-adj': to('oomScoreAdj'),
  'cluster-domain': to('clusterDomain'),
  'cluster-dns': to('clusterDNS'),
  'streaming-connection-idle-timeout': to('streamingConnectionIdleTimeout'),
  'node-status-update-frequency': to('nodeStatusUpdateFrequency'),
  'minimum-image-ttl-duration': to('imageMinimumGCAge'),
  'image-gc-high-threshold': to('imageGCHighThresholdPercent'),
  'image-gc-low-threshold': to('imageGCLowThresholdPercent'),
  'cgroup-root': to('cgroupRoot'),
  'cgroup-driver': to('cgroupDriver'),
  'runtime-request-timeout': to('runtimeRequestTimeout'),
  maxPods: to('maxPods'),
  podCidr: to('podCIDR'),
  'pod-max-pids': to('podPidsLimit'),
  'pods-per-core': to('podsPerCore'),
  'resolv-conf': to('resolvConf'),
  'cpu-cfs-quota': to('cpuCFSQuota'),
  'cpu-cfs-quota-period': to('cpuCFSQuotaPeriod'),
  'node-status-max-images': to('nodeStatusMaxImages'),
  kubeApiQps: to('kubeAPIQPS'),
  kubeApiBurst: to('kubeAPIBurst'),
  'serialize-image-pulls': to('serializeImagePulls'),
  'eviction-hard': to('evictionHard', (value) => thresholds(String(value), '<')),
  'eviction-soft': to('evictionSoft', (value) => thresholds(String(value), '<')),
  'eviction-soft-grace-period': to('evictionSoftGracePeriod', (value) => thresholds(String(value), '=')),
  'eviction-minimum-reclaim': to('evictionMinimumReclaim', (value) => thresholds(String(value), '=')),
  'eviction-pressure-transition-period': to('evictionPressureTransitionPeriod'),
  'eviction-max-pod-grace-period': to('evictionMaxPodGracePeriod'),
  'fail-swap-on': to('failSwapOn'),
  'fail-cgroupv1': to('failCgroupV1'),
  'container-log-max-size': to('containerLogMaxSize'),
  'container-log-max-files': to('containerLogMaxFiles'),
  'system-reserved': to('systemReserved', (value) => thresholds(String(value), '=')),
  'kube-reserved': to('kubeReserved', (value) => thresholds(String(value), '=')),
  'provider-id': to('providerID'),
  'register-node': to('registerNode'),
  'seccomp-default': to('seccompDefault', (value) => value === 'true' || value === true),
  'allowed-unsafe-sysctls': to('allowedUnsafeSysctls'),
  'cgroups-per-qos': to('cgroupsPerQOS'),
  'contention-profiling': to('enableContentionProfiling'),
  'cpu-manager-policy': to('cpuManagerPolicy'),
  'cpu-manager-policy-options': to('cpuManagerPolicyOptions', (value) => thresholds(String(value), '=')),
  'cpu-manager-reconcile-period': to('cpuManagerReconcilePeriod'),
  'enable-controller-attach-detach': to('enableControllerAttachDetach'),
  'enable-debugging-handlers': to('enableDebuggingHandlers'),
  'enforce-node-allocatable': to('enforceNodeAllocatable'),
  'hairpin-mode': to('hairpinMode'),
  'http-check-frequency': to('httpCheckFrequency'),
  'image-service-endpoint': to('imageServiceEndpoint'),
  'kernel-memcg-notification': to('kernelMemcgNotification'),
  'kube-api-content-type': to('contentType'),
  'kube-reserved-cgroup': to('kubeReservedCgroup'),
  'kubelet-cgroups': to('kubeletCgroups'),
  'local-storage-capacity-isolation': to('localStorageCapacityIsolation'),
  'logging-format': to('logging.format'),
  'make-iptables-util-chains': to('makeIPTablesUtilChains'),
  'manifest-url': to('staticPodURL'),
  'max-open-files': to('maxOpenFiles'),
  'memory-manager-policy': to('memoryManagerPolicy'),
  'protect-kernel-defaults': to('protectKernelDefaults'),
  'qos-reserved': to('qosReserved', (value) => thresholds(String(value), '=')),
  'reserved-cpus': to('reservedSystemCPUs'),
  'reserved-memory': to('reservedMemory', (value) => [value]),
  'rotate-server-certificates': to('serverTLSBootstrap'),
  runonce: to('runOnce'),
  'system-cgroups': to('systemCgroups'),
  'system-reserved-cgroup': to('systemReservedCgroup'),
  'topology-manager-policy': to('topologyManagerPolicy'),
  'topology-manager-policy-options': to('topologyManagerPolicyOptions', (value) =>
    thresholds(String(value), '='),
  ),
  'topology-manager-scope': to('topologyManagerScope'),
  'volume-plugin-dir': to('volumePluginDir'),
  'volume-stats-agg-period': to('volumeStatsAggPeriod'),
  registerWithTaints: to('registerWithTaints', (value) => (value as readonly string[]).map(parseTaint)),
  containerRuntimeEndpoint: to('containerRuntimeEndpoint'),
};

type Values = Readonly<Record<string, unknown>>;

/** Applies the command line to the settings. @throws Error for a value in an unknown format */
export function withFlags(
  settings: KubeletSettings,
  values: Values,
  changed: (key: string) => boolean,
): KubeletSettings {
  let result: Values = settings;
  for (const [key, { path, read }] of Object.entries(flagSettings))
    if (changed(key)) result = placed(result, path, read === undefined ? values[key] : read(values[key]));
  return result as unknown as KubeletSettings;
}

function placed(values: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  return { ...values, [name]: rest.length === 0 ? value : placed(values[name] as Values, rest, value) };
}

/** The defaults of a kubelet without a configuration file, from before such files existed. */
export const withoutFile = (settings: KubeletSettings): KubeletSettings => ({
  ...settings,
  authentication: {
    ...settings.authentication,
    anonymous: { enabled: true },
    webhook: { ...settings.authentication.webhook, enabled: false },
  },
  authorization: { ...settings.authorization, mode: 'AlwaysAllow' },
});

/** `memory.available<100Mi,nodefs.available<10%` */
function thresholds(text: string, sign: '<' | '='): Readonly<Record<string, string>> {
  const entries = text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const at = entry.indexOf(sign);
      if (at <= 0) throw new Error(`invalid value "${entry}": must be <name>${sign}<value>`);
      return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    });
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

/** `<key>=<value>:<effect>` or `<key>:<effect>` */
export function parseTaint(text: string): Taint {
  const match = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text);
  if (match === null) throw new Error(`invalid taint spec: ${text}`);
  const [, key = '', value, effect = ''] = match;
  return value === undefined ? { key, effect } : { key, value, effect };
}
