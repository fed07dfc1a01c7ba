/** The network of this machine's pods where it is the only one that has any, unless somebody has set one up. */
import {
  writeDefaultNetwork,
  type DefaultNetworkOptions,
} from '@coxswain/kubelet/network/default-network.ts';
import { whyNoNftables } from '@coxswain/nftables';
import { removeMasquerade, writeMasquerade } from './masquerade.ts';

export interface SingleNodeNetwork {
  /** The configuration that was written. */
  readonly file: string;
  /** For who has ended the pods: nothing is left in the packet filter. */
  readonly remove: () => Promise<void>;
}

export async function openSingleNodeNetwork(
  network: Omit<DefaultNetworkOptions, 'masquerades'>,
  tableName: string,
): Promise<SingleNodeNetwork | undefined> {
  // Without nftables the plugin does it, with iptables.
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
