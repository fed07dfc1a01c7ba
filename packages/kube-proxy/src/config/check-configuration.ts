/** Validates a configuration, with upstream's messages. */
import { parseCidr, parseIp } from '@coxswain/apimachinery';
import type { ProxySettings } from './proxy-configuration.ts';

const root = 'KubeProxyConfiguration';
const bitMax = 31;
const portMax = 65_535;
const localModes = ['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix', ''];
/** `userspace` exists only here. */
const modes = ['iptables', 'ipvs', 'nftables', 'userspace', ''];
const notNegative = 'must be greater than or equal to 0';

/** Empty if the configuration is valid. */
export function problemsOf(settings: ProxySettings): string[] {
  const problems: string[] = [];
  const refuse = (isWrong: boolean, path: string, value: unknown, why: string) => {
    if (isWrong) problems.push(`${root}.${path}: Invalid value: ${JSON.stringify(value)}: ${why}`);
  };
  const { conntrack, nftables, iptables, oomScoreAdj } = settings;
  for (const [name, { masqueradeBit }] of [
    ['KubeProxyIPTablesConfiguration', iptables],
    ['KubeProxyNFTablesConfiguration', nftables],
  ] as const)
    refuse(
      masqueradeBit < 0 || masqueradeBit > bitMax,
      `${name}.MasqueradeBit`,
      masqueradeBit,
      'must be within the range [0, 31]',
    );
  const limits = 'KubeProxyLinuxConfiguration';
  for (const [name, value] of Object.entries(conntrack))
    if (typeof value === 'number')
      refuse(value < 0, `${limits}.KubeProxyConntrackConfiguration.${goName(name)}`, value, notNegative);
  refuse(
    oomScoreAdj < -1000 || oomScoreAdj > 1000,
    `${limits}.OOMScoreAdj`,
    oomScoreAdj,
    'must be within the range [-1000, 1000]',
  );
  refuse(
    !modes.includes(settings.mode),
    'Mode.ProxyMode',
    settings.mode,
    'must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])',
  );
  refuse(
    settings.clientConnection.burst < 0,
    'ClientConnection.Burst',
    settings.clientConnection.burst,
    notNegative,
  );
  refuse(
    settings.configSyncPeriod <= 0,
    'ConfigSyncPeriod',
    settings.configSyncPeriod,
    'must be greater than 0',
  );
  refuse(nftables.syncPeriod <= 0, 'SyncPeriod', nftables.syncPeriod, 'must be greater than 0');
  refuse(nftables.minSyncPeriod < 0, 'MinSyncPeriod', nftables.minSyncPeriod, notNegative);
  refuse(
    nftables.minSyncPeriod > nftables.syncPeriod,
    'SyncPeriod',
    nftables.minSyncPeriod,
    `must be greater than or equal to ${root}.MinSyncPeriod`,
  );
  refuse(
    parseIp(settings.bindAddress) === undefined,
    'BindAddress',
    settings.bindAddress,
    'not a valid textual representation of an IP address',
  );
  checkListener(settings.healthzBindAddress, 'HealthzBindAddress', refuse);
  checkListener(settings.metricsBindAddress, 'MetricsBindAddress', refuse);
  checkNodePortAddresses(settings.nodePortAddresses, refuse);
  checkLocalTraffic(settings, refuse, problems);
  return problems;
}

type Refuse = (isWrong: boolean, path: string, value: unknown, why: string) => void;

const goName = (name: string): string =>
  (name[0]!.toUpperCase() + name.slice(1)).replace(/^(Tcp|Udp)/, (word) => word.toUpperCase());

/** Empty means disabled. */
function checkListener(address: string, path: string, refuse: Refuse): void {
  if (address === '') return;
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*)):(.*)$/.exec(address) ?? [];
  refuse(port === undefined, path, address, 'must be IP:port');
  if (port === undefined) return;
  const host = bracketed ?? plain ?? '';
  refuse(parseIp(host) === undefined, path, host, 'must be a valid IP');
  const number = /^\d+$/.test(port) ? Number(port) : 0;
  refuse(number < 1 || number > portMax, path, port, 'must be a valid port');
}

function checkNodePortAddresses(addresses: readonly string[], refuse: Refuse): void {
  for (const [index, address] of addresses.entries()) {
    const path = `NodePortAddresses[${index}]`;
    if (address === 'primary')
      return refuse(addresses.length !== 1, path, address, "can't use both 'primary' and CIDRs");
    refuse(parseCidr(address) === undefined, path, address, 'must be a valid CIDR');
  }
}

function checkLocalTraffic(settings: ProxySettings, refuse: Refuse, problems: string[]): void {
  const { detectLocalMode: mode, detectLocal, clusterCIDR } = settings;
  if (!localModes.includes(mode))
    problems.push(
      `${root}.DetectLocalMode: Unsupported value: ${JSON.stringify(mode)}: supported values: ${[
        ...localModes,
      ]
        .sort()
        .map((one) => JSON.stringify(one))
        .join(', ')}`,
    );
  const path = 'DetectLocalConfiguration';
  const { bridgeInterface, interfaceNamePrefix } = detectLocal;
  refuse(
    mode === 'BridgeInterface' && bridgeInterface === '',
    `${path}.InterfaceName`,
    bridgeInterface,
    'must not be empty',
  );
  refuse(
    mode === 'InterfaceNamePrefix' && interfaceNamePrefix === '',
    `${path}.InterfacePrefix`,
    interfaceNamePrefix,
    'must not be empty',
  );
  if ((mode !== 'ClusterCIDR' && mode !== '') || clusterCIDR === '') return;
  const ranges = clusterCIDR.split(',');
  for (const [index, range] of ranges.entries())
    refuse(
      parseCidr(range) === undefined,
      `${path}.ClusterCIDRs[${index}]`,
      range,
      'must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)',
    );
  const isPair = ranges.length === 2 && ranges[0]!.includes(':') !== ranges[1]!.includes(':');
  refuse(
    ranges.length > 1 && !isPair,
    `${path}.ClusterCIDRs`,
    ranges,
    'must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]',
  );
}
