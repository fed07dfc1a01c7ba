/** Makes a server's settings from the command line. @throws Error for invalid values */
import { systemClock } from '@coxswain/apimachinery';
import { auditSettings } from '../audit/audit-settings.ts';
import type { KubeApiServerSettings } from '../settings.ts';
import type { EgressSelector } from '../egress/dial.ts';
import { kubeconfigWebhooks } from '../kubeconfig-webhook.ts';
import { uncachedResources } from '../uncached-resources.ts';
import { accessSettings } from './access-settings.ts';
import { authenticationSettings, type IsGiven } from './authentication-settings.ts';
import { originPattern } from './allowed-origins.ts';
import type { ApiServerFlags } from './effective-flags.ts';
import { versionOf } from './emulated-version.ts';
import { storageSettings } from './storage-settings.ts';

export function settingsOf(
  flags: ApiServerFlags,
  log: (line: string) => void = () => undefined,
  print: (text: string) => void = () => undefined,
  isGiven: IsGiven = () => false,
  egress?: EgressSelector,
): KubeApiServerSettings {
  refuseWhatIsNotThere(flags);
  const connect = kubeconfigWebhooks(egress?.dialOf('controlplane'));
  return {
    ...storageOf(flags),
    ...servingOf(flags),
    ...lifeOf(flags),
    ...credentialsOf(flags, isGiven),
    ...kubeletsOf(flags),
    proxyClient: { certificateFile: flags.proxyClientCertFile, keyFile: flags.proxyClientKeyFile },
    asksExtensionEndpoints: flags.enableAggregatorRouting,
    egress,
    ...accessSettings(flags, log, connect),
    audit: auditSettings(flags, { clock: systemClock, log, print, connect }),
    featureGates: flags.featureGates,
    version: versionOf(flags),
    emulationForwardCompatible: flags.emulationForwardCompatible,
    runtimeConfigEmulationForwardCompatible: flags.runtimeConfigEmulationForwardCompatible,
    runtimeConfig: flags.runtimeConfig,
    ...limitsOf(flags),
    minRequestTimeoutMs: flags.minRequestTimeout * 1000,
    requestTimeoutMs: positive('request-timeout', flags.requestTimeout),
    strictTransportSecurity: flags.strictTransportSecurityDirectives,
    corsAllowedOrigins: flags.corsAllowedOrigins.map(originPattern),
    tolerationSeconds: {
      notReady: flags.defaultNotReadyTolerationSeconds,
      unreachable: flags.defaultUnreachableTolerationSeconds,
    },
    allowPrivileged: flags.allowPrivileged,
    eventTtlSeconds: Math.round(positive('event-ttl', flags.eventTtl) / 1000),
    serviceNodePortRange: flags.serviceNodePortRange,
    ...(flags.serviceClusterIpRange === ''
      ? {}
      : { serviceClusterIpRanges: flags.serviceClusterIpRange.split(',') }),
  };
}

function limitsOf(flags: ApiServerFlags): Partial<KubeApiServerSettings> {
  const { maxRequestsInflight, maxMutatingRequestsInflight, enablePriorityAndFairness } = flags;
  if (enablePriorityAndFairness && maxRequestsInflight + maxMutatingRequestsInflight === 0) {
    throw new Error(
      'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
    );
  }
  return {
    limits: { readOnlyMax: maxRequestsInflight, mutatingMax: maxMutatingRequestsInflight },
    enablePriorityAndFairness,
  };
}

const storageOf = (flags: ApiServerFlags): Partial<KubeApiServerSettings> => ({
  ...given('dataDir', flags.dataDir),
  durability: flags.unsafeNoFsync ? 'relaxed' : durabilityOf(flags.durability),
  quotaBytes: Math.max(0, flags.quotaBackendBytes),
  historyMs: flags.etcdCompactionInterval,
  isUncached: uncachedResources(flags.watchCache, flags.watchCacheSizes),
  ...storageSettings(flags),
});

function durabilityOf(text: string): 'sync' | 'relaxed' {
  if (text === 'sync' || text === 'relaxed') return text;
  throw new Error(`--durability must be "sync" or "relaxed", not "${text}"`);
}

const servingOf = (flags: ApiServerFlags): Partial<KubeApiServerSettings> => ({
  securePort: flags.securePort,
  bindAddress: flags.bindAddress,
  servesHttp2: !flags.disableHttp2Serving,
  sharesPort: flags.permitPortSharing,
  concurrentStreams: flags.http2MaxStreamsPerConnection,
  minTlsVersion: flags.tlsMinVersion,
  cipherSuites: flags.tlsCipherSuites,
  curves: flags.tlsCurvePreferences,
  namedCertificates: flags.tlsSniCertKey,
  goawayChance: flags.disableHttp2Serving ? 0 : flags.goawayChance,
  ...given('advertiseAddress', flags.advertiseAddress),
  ...given('externalHostname', flags.externalHostname),
  ...given('certDir', flags.certDir),
  ...given('tlsCertFile', flags.tlsCertFile),
  ...given('tlsPrivateKeyFile', flags.tlsPrivateKeyFile),
});

const lifeOf = (flags: ApiServerFlags): Partial<KubeApiServerSettings> => ({
  livezGraceMs: flags.livezGracePeriod,
  shutdownDelayMs: flags.shutdownDelayDuration,
  sendsRetryAfter: flags.shutdownSendRetryAfter,
  watchTerminationMs: flags.shutdownWatchTerminationGracePeriod,
  reconcilesEndpoints: flags.endpointReconcilerType !== 'none',
  serversCount: flags.endpointReconcilerType === 'master-count' ? flags.apiserverCount : undefined,
  kubernetesServiceNodePort: flags.kubernetesServiceNodePort,
});

/** @throws Error for values that upstream supports and this server doesn't */
function refuseWhatIsNotThere({ endpointReconcilerType, enableLogsHandler }: ApiServerFlags): void {
  if (!['lease', 'master-count', 'none'].includes(endpointReconcilerType)) {
    throw new Error(`Reconciler not implemented: ${endpointReconcilerType}`);
  }
  if (enableLogsHandler) throw new Error('--enable-logs-handler is not supported by this server');
}

const credentialsOf = (flags: ApiServerFlags, isGiven: IsGiven): Partial<KubeApiServerSettings> => ({
  ...authenticationSettings(flags, flags.authorizationMode, isGiven),
  ...given('serviceAccountSigningKeyFile', flags.serviceAccountSigningKeyFile),
  ...given('serviceAccountSigningEndpoint', flags.serviceAccountSigningEndpoint),
});

const kubeletsOf = (flags: ApiServerFlags): Partial<KubeApiServerSettings> => ({
  kubeletPreferredAddressTypes: flags.kubeletPreferredAddressTypes,
  kubeletTls: {
    authorityFile: flags.kubeletCertificateAuthority,
    certificateFile: flags.kubeletClientCertificate,
    keyFile: flags.kubeletClientKey,
  },
});

const given = <K extends string>(key: K, value: string): { readonly [key in K]?: string } =>
  value === '' ? {} : ({ [key]: value } as { readonly [key in K]: string });

function positive(flag: string, milliseconds: number): number {
  if (milliseconds <= 0) throw new Error(`--${flag} must be greater than 0`);
  return milliseconds;
}
