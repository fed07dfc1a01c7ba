/** KubeProxyConfiguration of kubeproxy.config.k8s.io/v1alpha1: each setting with its default. */
import { formatDurationMs, parseIp } from '@coxswain/apimachinery';
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
  texts,
  type SettingKind,
  type SettingsOf,
} from '@coxswain/apimachinery/configuration/setting-kinds.ts';

const second = 1_000;
const hour = 3_600 * second;

const syncing = { syncPeriod: period(30 * second), minSyncPeriod: period(second) };

export const settingTable = {
  featureGates: anything<Readonly<Record<string, boolean>>>({}),
  clientConnection: group(
    {
      kubeconfig: text(),
      acceptContentTypes: text(),
      contentType: text('application/vnd.kubernetes.protobuf'),
      qps: decimal(5),
      burst: integer(10),
    },
    'clientConnection',
  ),
  logging: anything<object>({}),
  hostnameOverride: text(),
  bindAddress: text('0.0.0.0'),
  healthzBindAddress: text(),
  metricsBindAddress: text(),
  bindAddressHardFail: bool(false),
  enableProfiling: bool(false),
  showHiddenMetricsForVersion: text(),
  mode: text(),
  iptables: group(
    { masqueradeBit: integer(14), masqueradeAll: bool(false), localhostNodePorts: bool(true), ...syncing },
    'iptables',
  ),
  ipvs: group(
    {
      syncPeriod: period(30 * second),
      minSyncPeriod: duration(0),
      scheduler: text(),
      excludeCIDRs: texts(),
      strictARP: bool(false),
      tcpTimeout: duration(0),
      tcpFinTimeout: duration(0),
      udpTimeout: duration(0),
    },
    'ipvs',
  ),
  nftables: group({ masqueradeBit: integer(14), masqueradeAll: bool(false), ...syncing }, 'nftables'),
  winkernel: anything<object>({
    networkName: '',
    sourceVip: '',
    enableDSR: false,
    rootHnsEndpointName: '',
    forwardHealthCheckVip: false,
  }),
  detectLocalMode: text(),
  detectLocal: group({ bridgeInterface: text(), interfaceNamePrefix: text() }, 'detectLocal'),
  clusterCIDR: text(),
  nodePortAddresses: texts(),
  oomScoreAdj: integer(-999),
  conntrack: group(
    {
      maxPerCore: integer(32 * 1024),
      min: integer(128 * 1024),
      tcpEstablishedTimeout: duration(24 * hour),
      tcpCloseWaitTimeout: duration(hour),
      tcpBeLiberal: bool(false),
      udpTimeout: duration(0),
      udpStreamTimeout: duration(0),
    },
    'conntrack',
  ),
  configSyncPeriod: period(900 * second),
  portRange: text(),
  windowsRunAsService: bool(false),
} as const;

export type ProxySettings = SettingsOf<typeof settingTable>;

const configurationVersion = 'kubeproxy.config.k8s.io/v1alpha1';
const healthzPort = 10_256;
const metricsPort = 10_249;

export const defaultSettings: ProxySettings = withAddresses(readSettings(settingTable, {}, ''));

/**
 * Unknown fields are reported and then ignored, as upstream does for this version.
 * @throws Error for another kind of document, and for values of the wrong type
 */
export function readProxyConfiguration(document: unknown, warn: (text: string) => void): ProxySettings {
  const { apiVersion = '', kind = '', ...rest } = (document ?? {}) as Readonly<Record<string, unknown>>;
  if (kind !== 'KubeProxyConfiguration' || apiVersion !== configurationVersion)
    throw new Error(
      `failed to decode: no kind "${String(kind)}" is registered for version "${String(apiVersion)}"`,
    );
  try {
    return withAddresses(readSettings(settingTable, rest, ''));
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('strict decoding error')) throw error;
    warn(`Using lenient decoding as strict decoding failed: ${error.message}`);
    return withAddresses(readSettings(settingTable, knownOnly(rest, settingTable), ''));
  }
}

/** Addresses that are not set default to the family of the node's address. */
function withAddresses(settings: ProxySettings): ProxySettings {
  const isIpv6 = settings.bindAddress.includes(':');
  return {
    ...settings,
    healthzBindAddress: withPort(settings.healthzBindAddress || (isIpv6 ? '::' : '0.0.0.0'), healthzPort),
    metricsBindAddress: withPort(settings.metricsBindAddress || (isIpv6 ? '::1' : '127.0.0.1'), metricsPort),
  };
}

/** A value that is not just an address is left as it is; validation reports it. */
function withPort(address: string, port: number): string {
  if (parseIp(address) === undefined) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

type Kinds = Readonly<Record<string, SettingKind<unknown>>>;
type Document = Readonly<Record<string, unknown>>;

const knownOnly = (value: Document, kinds: Kinds): Document =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => Object.hasOwn(kinds, name))
      .map(([name, given]) => {
        const table = kinds[name]?.table;
        return [
          name,
          table && given && typeof given === 'object' ? knownOnly(given as Document, table) : given,
        ];
      }),
  );

/** The settings in the form of the configuration file. */
export const configurationDocument = (settings: ProxySettings): object => ({
  kind: 'KubeProxyConfiguration',
  apiVersion: configurationVersion,
  ...written(settings, settingTable),
});

const written = (values: Document, kinds: Kinds): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { isDuration, table } = kinds[name] ?? {};
      if (isDuration) return [name, formatDurationMs(value as number)];
      return [name, table === undefined ? value : written(value as Document, table)];
    }),
  );
