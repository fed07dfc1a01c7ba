/** What the command line says, as the settings of a server. @throws Error for values that make no sense */
import { systemClock } from '@coxswain/apimachinery';
import { auditSettings } from '../audit/audit-settings.ts';
import type { KubeApiServerSettings } from '../create.ts';
import { kubeconfigWebhook } from '../kubeconfig-webhook.ts';
import { uncachedResources } from '../uncached-resources.ts';
import { accessSettings } from './access-settings.ts';
import type { ApiServerFlags } from './effective-flags.ts';
import { storageSettings } from './storage-settings.ts';

export function settingsOf(
  flags: ApiServerFlags,
  log: (line: string) => void = () => undefined,
  print: (text: string) => void = () => undefined,
): KubeApiServerSettings {
  return {
    ...storageOf(flags),
    ...servingOf(flags),
    ...credentialsOf(flags),
    ...kubeletsOf(flags),
    proxyClient: { certificateFile: flags.proxyClientCertFile, keyFile: flags.proxyClientKeyFile },
    asksExtensionEndpoints: flags.enableAggregatorRouting,
    ...accessSettings(flags, log),
    audit: auditSettings(flags, { clock: systemClock, log, print, connect: kubeconfigWebhook }),
    anonymousAuth: flags.anonymousAuth,
    featureGates: flags.featureGates,
    runtimeConfig: flags.runtimeConfig,
    ...limitsOf(flags),
    minRequestTimeoutMs: flags.minRequestTimeout * 1000,
    requestTimeoutMs: positive('request-timeout', flags.requestTimeout),
    shutdownDelayMs: flags.shutdownDelayDuration,
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
    logEveryRequest: flags.v >= 3,
  };
}

function limitsOf(flags: ApiServerFlags): Partial<KubeApiServerSettings> {
  const { maxRequestsInflight, maxMutatingRequestsInflight, enablePriorityAndFairness } = flags;
  if (maxRequestsInflight < 0) throw new Error('--max-requests-inflight can not be negative value');
  if (maxMutatingRequestsInflight < 0) {
    throw new Error('--max-mutating-requests-inflight can not be negative value');
  }
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

function servingOf(flags: ApiServerFlags): Partial<KubeApiServerSettings> {
  const { securePort } = flags;
  if (securePort < 0 || securePort > 65_535) {
    throw new Error(`--secure-port ${securePort} must be between 0 and 65535`);
  }
  return {
    securePort,
    bindAddress: flags.bindAddress,
    concurrentStreams: flags.http2MaxStreamsPerConnection,
    ...given('advertiseAddress', flags.advertiseAddress),
    ...given('certDir', flags.certDir),
    ...given('tlsCertFile', flags.tlsCertFile),
    ...given('tlsPrivateKeyFile', flags.tlsPrivateKeyFile),
    ...given('clientCaFile', flags.clientCaFile),
  };
}

const credentialsOf = (flags: ApiServerFlags): Partial<KubeApiServerSettings> => ({
  ...given('tokenAuthFile', flags.tokenAuthFile),
  ...given('serviceAccountSigningKeyFile', flags.serviceAccountSigningKeyFile),
  serviceAccountIssuers: flags.serviceAccountIssuer,
  serviceAccountKeyFiles: flags.serviceAccountKeyFile,
  serviceAccountExtendsExpiration: flags.serviceAccountExtendTokenExpiration,
  serviceAccountExpirationSecondsMax: Math.round(flags.serviceAccountMaxTokenExpiration / 1000),
  apiAudiences: flags.apiAudiences,
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

function originPattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new Error(`--cors-allowed-origins ${text}: ${(error as Error).message}`, { cause: error });
  }
}
