/** The pod network of a machine that is the only node with real pods, unless another network is already configured. */
import {
  writeDefaultNetwork,
  type DefaultNetworkOptions,
} from '@coxswain/kubelet/network/default-network.ts';
import { whyNoNftables } from '@coxswain/nftables';
import { removeMasquerade, writeMasquerade } from './masquerade.ts';

export interface SingleNodeNetwork {
  /** The configuration file that was written. */
  readonly file: string;
  /** Cleans up the packet filter; called after the pods have been removed. */
  readonly remove: () => Promise<void>;
}

export async function openSingleNodeNetwork(
  network: Omit<DefaultNetworkOptions, 'masquerades'>,
  tableName: string,
): Promise<SingleNodeNetwork | undefined> {
  // Without nftables, the CNI plugin masquerades with iptables.
  const hasNftables = (await whyNoNftables()) === undefined;
  const file = writeDefaultNetwork({ ...network, masquerades: !hasNftables });
  if (file === undefined) return undefined;
  const { podCidr } = network;
  if (hasNftables) await writeMasquerade(podCidr, podCidr, tableName);
  return {
    file,
    remove: async () => {
      if (hasNftables) await removeMasquerade(podCidr, tableName);
    },
  };
}
