import type { ProxySettings } from './config/proxy-configuration.ts';
import { localTrafficOf } from './machine/local-traffic.ts';
import { nodePortIps, type NodeIps } from './machine/node-addresses.ts';
import type { IpFamily } from './model/service-rule.ts';
import type { TableOptions } from './nftables/table-options.ts';

/** The table options of a family, from the configuration and the node. */
export const tableOptionsOf = (
  settings: ProxySettings,
  node: { readonly ips: NodeIps; readonly podCidrs: readonly string[] },
  family: IpFamily,
): TableOptions => ({
  family,
  masqueradeAll: settings.nftables.masqueradeAll,
  masqueradeBit: settings.nftables.masqueradeBit,
  localTraffic: localTrafficOf(settings, node.podCidrs, family),
  nodePortIps: nodePortIps(settings.nodePortAddresses, family, node.ips),
  nodeIp: node.ips[family],
});
