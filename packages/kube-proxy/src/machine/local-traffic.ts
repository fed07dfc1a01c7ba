import { familyOf, type IpFamily } from '../model/service-rule.ts';
import type { LocalTraffic } from '../nftables/table-options.ts';
import type { ProxySettings } from '../config/proxy-configuration.ts';

type Settings = Pick<ProxySettings, 'detectLocalMode' | 'detectLocal' | 'clusterCIDR'>;

/** How to recognize packets of this node's pods; undefined if nothing was configured. */
export function localTrafficOf(
  { detectLocalMode, detectLocal, clusterCIDR }: Settings,
  podCidrs: readonly string[],
  family: IpFamily,
): LocalTraffic | undefined {
  switch (detectLocalMode) {
    case '':
    case 'ClusterCIDR':
      return byRange(clusterCIDR.split(','), family);
    case 'NodeCIDR':
      return byRange(podCidrs, family);
    case 'BridgeInterface':
      return byInterface(detectLocal.bridgeInterface);
    case 'InterfaceNamePrefix':
      return byInterface(`${detectLocal.interfaceNamePrefix}*`);
    default:
      return undefined;
  }
}

function byRange(ranges: readonly string[], family: IpFamily): LocalTraffic | undefined {
  const range = ranges.find((one) => one !== '' && familyOf(one) === family);
  if (range === undefined) return undefined;
  const source = family === 'IPv4' ? 'ip saddr' : 'ip6 saddr';
  return { isLocal: `${source} ${range}`, isNotLocal: `${source} != ${range}` };
}

const byInterface = (name: string): LocalTraffic => ({
  isLocal: `iifname "${name}"`,
  isNotLocal: `iifname != "${name}"`,
});
