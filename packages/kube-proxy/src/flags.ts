/** The options that decide something; all others of the original are accepted. */

import { featureGateFlag } from '@coxswain/apiserver/features/feature-gate-flag.ts';
import { bool, int, int32, string, stringSlice } from '@coxswain/cobra';
import type { FlagValues } from '@coxswain/cobra';

export const effectiveFlags = {
  kubeconfig: string({ usage: 'The file that tells how to reach the API server.' }),
  master: string({ usage: 'The address of the API server, in place of the one in the kubeconfig.' }),
  hostnameOverride: string({ usage: 'The name of the node; the name of this machine when empty.' }),
  proxyMode: string({
    default: 'nftables',
    usage: "What the rules are written in. Only 'nftables' is built.",
  }),
  clusterCidr: string({
    usage: 'Addresses of pods: packets from elsewhere to a cluster address are masqueraded.',
  }),
  masqueradeAll: bool({ usage: 'Masquerade all packets to cluster addresses.' }),
  iptablesMasqueradeBit: int32({
    default: 14,
    usage: 'The bit of the packet mark that asks for masquerading (0 to 31).',
  }),
  nodeportAddresses: stringSlice({
    usage: 'Addresses that node ports answer on; all of the node when empty.',
  }),
  dryRun: bool({ usage: 'Print the rule set whenever it changes, and load nothing.' }),
  once: bool({ usage: 'With --dry-run: end after the first rule set.' }),
  featureGates: featureGateFlag,
  v: int({ usage: 'How much is logged.', shorthand: 'v' }),
};

export type KubeProxyFlags = FlagValues<typeof effectiveFlags>;
