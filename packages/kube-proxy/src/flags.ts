/** The options that have an effect; all others of upstream are accepted. */

import { featureGateFlag } from '@coxswain/component-base/features/feature-gate-flag.ts';
import { versionRequest } from '@coxswain/component-base/version-flag.ts';
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
  version: versionRequest({
    usage: 'Print the version and exit; --version=raw prints all version information.',
  }),
  config: string({ usage: 'The configuration file. If set, most other flags have no effect.' }),
  writeConfigTo: string({ usage: 'Write the default configuration to this file and exit.' }),
  cleanup: bool({ usage: 'Remove all rules and exit.' }),
  initOnly: bool({ usage: 'Perform only the setup that needs full privileges, and exit.' }),
  kubeconfig: string({
    usage: 'The kubeconfig file with the address of the API server and the credentials for it.',
  }),
  master: string({ usage: 'The address of the API server. Overrides the one in the kubeconfig.' }),
  kubeApiContentType: string({
    default: 'application/vnd.kubernetes.protobuf',
    usage: 'The content type of requests to the API server. JSON is used where Protobuf is not supported.',
  }),
  kubeApiQps: float32({ default: 5, usage: 'The maximum number of requests to the API server per second.' }),
  kubeApiBurst: int32({ default: 10, usage: 'The maximum burst of requests to the API server.' }),
  hostnameOverride: string({ usage: 'The name of the node. Defaults to the host name.' }),
  bindAddress: ip({
    default: '0.0.0.0',
    usage: 'Overrides the primary IP address of the node. Despite its name, no address is listened on.',
  }),
  healthzBindAddress: string({
    default: '0.0.0.0:10256',
    usage: 'The address and port of the health endpoint. Disabled if empty.',
  }),
  metricsBindAddress: string({
    default: '127.0.0.1:10249',
    usage: 'The address and port of the metrics endpoint. Disabled if empty.',
  }),
  healthzPort: int32({
    default: 10_256,
    usage: 'The port of the health endpoint. 0 disables it.',
    deprecated: 'use --healthz-bind-address',
  }),
  metricsPort: int32({
    default: 10_249,
    usage: 'The port of the metrics endpoint. 0 disables it.',
    deprecated: 'use --metrics-bind-address',
  }),
  bindAddressHardFail: bool({
    usage: 'Exit if the port for health or metrics is in use, instead of retrying.',
  }),
  profiling: bool({ usage: 'Accepted and ignored: the metrics endpoint serves no profiles.' }),
  proxyMode: string({
    usage:
      "The proxy mode: 'nftables' (the default), or 'userspace', in which this program forwards packets itself, without kernel rules or privileges.",
  }),
  detectLocalMode: string({ usage: 'How to detect traffic from pods on this node.' }),
  podBridgeInterface: string({ usage: 'The bridge interface of the pods, for the mode BridgeInterface.' }),
  podInterfaceNamePrefix: string({
    usage: 'The prefix of the pod interface names, for the mode InterfaceNamePrefix.',
  }),
  clusterCidr: string({ usage: 'The range of pod addresses, for the mode ClusterCIDR.' }),
  nodeportAddresses: stringSlice({
    usage:
      "The ranges of node addresses that accept node port connections, or 'primary' (the default) for the primary node addresses.",
  }),
  masqueradeAll: bool({ usage: 'Masquerade all traffic sent to cluster IP addresses.' }),
  iptablesMasqueradeBit: int32({
    default: 14,
    usage: 'Accepted and ignored: set the bit for nftables in the configuration file.',
  }),
  iptablesSyncPeriod: duration({
    default: 30 * second,
    usage: 'How long to wait before retrying rules that failed.',
  }),
  iptablesMinSyncPeriod: duration({ default: second, usage: 'The minimum time between two rule updates.' }),
  configSyncPeriod: duration({
    default: 900 * second,
    usage: 'Accepted and ignored: watches need no refreshing.',
  }),
  oomScoreAdj: int32({
    default: -999,
    usage: 'The oom-score-adj value of this process, from -1000 to 1000.',
  }),
  conntrackMaxPerCore: int32({
    default: 32_768,
    usage: 'The maximum number of tracked connections per CPU core. 0 leaves the limit unchanged.',
  }),
  conntrackMin: int32({
    default: 131_072,
    usage: 'The minimum number of tracked connections, regardless of the number of cores.',
  }),
  conntrackTcpTimeoutEstablished: duration({
    default: 24 * hour,
    usage: 'How long idle TCP connections are tracked. 0 leaves the setting unchanged.',
  }),
  conntrackTcpTimeoutCloseWait: duration({
    default: hour,
    usage: 'How long TCP connections in the CLOSE_WAIT state are tracked.',
  }),
  conntrackTcpBeLiberal: bool({ usage: 'Accept TCP packets that are outside the window.' }),
  conntrackUdpTimeout: duration({
    usage: 'How long unreplied UDP connections are tracked. 0 leaves the setting unchanged.',
  }),
  conntrackUdpTimeoutStream: duration({
    usage: 'How long replied UDP connections are tracked. 0 leaves the setting unchanged.',
  }),
  featureGates: featureGateFlag,
  dryRun: bool({ usage: 'Print the nft commands without executing them.' }),
  once: bool({ usage: 'Used with --dry-run: exit after the first rules.' }),
  v: int({ usage: 'The log verbosity.', shorthand: 'v' }),
};

export type KubeProxyFlags = FlagValues<typeof effectiveFlags>;
