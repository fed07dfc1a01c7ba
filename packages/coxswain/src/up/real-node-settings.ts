/** `coxswain up --node`: what this machine is as a node. */

import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { KubeletSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import { defaultAddress } from '@coxswain/kubelet/node/machine.ts';
import { clusterDnsAddress } from '../components/cluster-addresses.ts';
import type { ClusterOptions } from '../cluster/cluster-options.ts';
import type { DataDirectory } from '../local/data-directory.ts';
import type { NodeProxyOptions } from '../nodes/node-proxy.ts';
import type { RealNodeOptions } from '../nodes/real-node.ts';
import type { UpFlags } from './up-flags.ts';

/** Nothing where the machine is to be none. @param settings of its kubelet */
export function realNodeSettings(
  flags: UpFlags,
  settings: Partial<KubeletSettings>,
  { folder }: DataDirectory,
): Pick<ClusterOptions, 'realNode' | 'nodeProxy'> {
  if (!flags.node) return {};
  return { realNode: realNodeOf(flags, settings, folder), nodeProxy: nodeProxyOf(flags) };
}

function realNodeOf(flags: UpFlags, settings: Partial<KubeletSettings>, folder: string): RealNodeOptions {
  const { containerRuntimeEndpoint: runtimeEndpoint, nodeIp, cniConfDir, podCidr, inMemory } = flags;
  const rootFolder = path.join(folder, 'kubelet');
  mkdirSync(rootFolder, { recursive: true, mode: 0o750 });
  return {
    runtimeEndpoint,
    rootFolder,
    settings,
    clusterDns: [clusterDnsAddress],
    // Among several machines, its range is given to it.
    ...(flags.server ? {} : { network: { folder: cniConfDir, podCidr } }),
    endsPods: inMemory,
    ...(nodeIp === '' ? {} : { address: nodeIp }),
  };
}

/** What a node with a range of its own knows from the start; among several machines, the API server tells it. */
function nodeProxyOf({ nodeIp, podCidr, server, inMemory }: UpFlags): NodeProxyOptions {
  const address = nodeIp || defaultAddress();
  return {
    nodeName: hostname().toLowerCase(),
    endsRules: inMemory,
    ...(server || address === undefined ? {} : { address, podCidr }),
  };
}
