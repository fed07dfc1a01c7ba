/** `coxswain up --node`: the settings of this machine as a node. */

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

/** Empty if the machine is not a node. @param settings the settings of its kubelet */
export function realNodeSettings(
  flags: UpFlags,
  settings: Partial<KubeletSettings>,
  { root }: DataDirectory,
): Pick<ClusterOptions, 'realNode' | 'nodeProxy'> {
  if (!flags.node) return {};
  return { realNode: realNodeOf(flags, settings, root), nodeProxy: nodeProxyOf(flags) };
}

function realNodeOf(flags: UpFlags, settings: Partial<KubeletSettings>, directory: string): RealNodeOptions {
  const { containerRuntimeEndpoint: runtimeEndpoint, nodeIp, cniConfDir, podCidr, inMemory } = flags;
  const rootDirectory = path.join(directory, 'kubelet');
  mkdirSync(rootDirectory, { recursive: true, mode: 0o750 });
  return {
    runtimeEndpoint,
    rootDirectory,
    settings,
    clusterDns: [clusterDnsAddress],
    // With several machines, the range is assigned to the node.
    ...(flags.server ? {} : { network: { directory: cniConfDir, podCidr } }),
    endsPods: inMemory,
    ...(nodeIp === '' ? {} : { address: nodeIp }),
  };
}

/** A single node knows its range from the start; with several machines, the API server provides it. */
function nodeProxyOf({ nodeIp, podCidr, server, inMemory }: UpFlags): NodeProxyOptions {
  const address = nodeIp || defaultAddress();
  return {
    nodeName: hostname().toLowerCase(),
    endsRules: inMemory,
    ...(server || address === undefined ? {} : { address, podCidr }),
  };
}
