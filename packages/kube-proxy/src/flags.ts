/** The options that decide something; all others of the original are accepted. */

import { featureGateFlag } from '@coxswain/apiserver/features/feature-gate-flag.ts';
import { versionRequest } from '@coxswain/apiserver/component/version-flag.ts';
import {
  bool,
  duration,
  float32,
  int,
  int32,
  ip,
  string,
  stringSlice,
  type FlagValues,
} from '@coxswain/cobra';

const second = 1_000;
const hour = 3_600 * second;

export const effectiveFlags = {
  version: versionRequest({ usage: 'Print the version and leave; raw: all that is known of it.' }),
  config: string({ usage: 'The file with the configuration; most other options have no effect beside it.' }),
  writeConfigTo: string({ usage: 'Write the default configuration to this file, and end.' }),
  cleanup: bool({ usage: 'Take all rules away, and end.' }),
  initOnly: bool({ usage: 'Do what needs more rights than changing the network, and end.' }),
  kubeconfig: string({ usage: 'The file that tells how to reach the API server.' }),
  master: string({ usage: 'The address of the API server, in place of the one in the kubeconfig.' }),
  kubeApiContentType: string({
    default: 'application/vnd.kubernetes.protobuf',
    usage: 'How requests to the API server are written. JSON is used where Protobuf is not understood.',
  }),
  kubeApiQps: float32({ default: 5, usage: 'Requests a second to the API server.' }),
  kubeApiBurst: int32({ default: 10, usage: 'Requests to the API server at once.' }),
  hostnameOverride: string({ usage: 'The name of the node; the name of this machine when empty.' }),
  bindAddress: ip({
    default: '0.0.0.0',
    usage: 'The first address of the node, in place of what the API server knows. Nothing listens on it.',
  }),
  healthzBindAddress: string({
    default: '0.0.0.0:10256',
    usage: 'Where health is told. Nowhere when empty.',
  }),
  metricsBindAddress: string({
    default: '127.0.0.1:10249',
    usage: 'Where metrics are told. Nowhere when empty.',
  }),
  healthzPort: int32({
    default: 10_256,
    usage: '0 turns health off.',
    deprecated: 'use --healthz-bind-address',
  }),
  metricsPort: int32({
    default: 10_249,
    usage: '0 turns metrics off.',
    deprecated: 'use --metrics-bind-address',
  }),
  bindAddressHardFail: bool({
    usage: 'End when a port for health or metrics is taken, instead of trying on.',
  }),
  profiling: bool({ usage: 'Accepted: there are no profiles on the port for metrics.' }),
  proxyMode: string({
    usage:
      "How packets are carried: 'nftables' (also when empty), or 'userspace': by this program, without rules and rights.",
  }),
  detectLocalMode: string({ usage: 'How packets of pods on this node are told from others.' }),
  podBridgeInterface: string({ usage: 'The bridge that they come from, for the mode BridgeInterface.' }),
  podInterfaceNamePrefix: string({
    usage: 'How the interfaces are called that they come from, for the mode InterfaceNamePrefix.',
  }),
  clusterCidr: string({ usage: 'The addresses that they come from, for the mode ClusterCIDR.' }),
  nodeportAddresses: stringSlice({
    usage:
      "Ranges of the node's addresses that node ports answer on, or 'primary' (the default) for those that the API server knows.",
  }),
  masqueradeAll: bool({ usage: 'Masquerade all packets to cluster addresses.' }),
  iptablesMasqueradeBit: int32({ default: 14, usage: 'Accepted: the bit for nftables is set in the file.' }),
  iptablesSyncPeriod: duration({
    default: 30 * second,
    usage: 'After what time rules that failed are tried again.',
  }),
  iptablesMinSyncPeriod: duration({ default: second, usage: 'The least time between two changes of rules.' }),
  configSyncPeriod: duration({ default: 900 * second, usage: 'Accepted: watches need no refreshing.' }),
  oomScoreAdj: int32({
    default: -999,
    usage: 'How unwilling the kernel is to kill this program for memory.',
  }),
  conntrackMaxPerCore: int32({
    default: 32_768,
    usage: 'Connections that the kernel tracks, for each processor (0 leaves it).',
  }),
  conntrackMin: int32({ default: 131_072, usage: 'Connections that it tracks at least.' }),
  conntrackTcpTimeoutEstablished: duration({
    default: 24 * hour,
    usage: 'How long idle ones are tracked (0 leaves it).',
  }),
  conntrackTcpTimeoutCloseWait: duration({ default: hour, usage: 'How long half closed ones are tracked.' }),
  conntrackTcpBeLiberal: bool({ usage: 'Let packets out of the window pass.' }),
  conntrackUdpTimeout: duration({ usage: 'How long UDP without an answer is tracked (0 leaves it).' }),
  conntrackUdpTimeoutStream: duration({ usage: 'How long UDP with answers is tracked (0 leaves it).' }),
  featureGates: featureGateFlag,
  dryRun: bool({ usage: 'Print what would be told to nft, and load nothing.' }),
  once: bool({ usage: 'With --dry-run: end after the first rules.' }),
  v: int({ usage: 'How much is logged.', shorthand: 'v' }),
};

export type KubeProxyFlags = FlagValues<typeof effectiveFlags>;
