/** The flags of `coxswain up`. */

import { bool, choice, string, stringSlice, type FlagValues } from '@coxswain/cobra';
import { clusterFlags } from '@coxswain/kube-apiserver/flags/cluster-flags.ts';
import { addonNames } from '../addons/addon-names.ts';
import {
  address,
  addressRange,
  hostNames,
  kubernetesVersion,
  lifetime,
  port,
  simulatedNodes,
  threads,
} from '../program/value-kinds.ts';
import { uiPortDefault } from '../ui/ui-port.ts';
import { tokenTtlMsDefault } from '../joining/bootstrap-token.ts';
import { kubeletConfigUsage } from '../nodes/kubelet-settings.ts';

export const upFlags = {
  dataDir: string({
    usage:
      'Directory for keys, kubeconfig and data. Defaults to $XDG_DATA_HOME/coxswain or ~/.local/share/coxswain.',
  }),
  inMemory: bool({
    usage:
      'Keep all data in memory and keys in a temporary directory; nothing is left when the cluster stops.',
  }),
  detach: bool({
    shorthand: 'd',
    usage: 'Run the cluster in the background and return when it is ready. Stop it with "coxswain down".',
  }),
  wait: bool({
    usage: 'Report that the cluster is ready only when its nodes are ready and pods can be created.',
  }),
  kubeconfig: string({
    usage:
      'Also write the administrator kubeconfig to this file. The one in the data directory is always written.',
  }),
  mergeKubeconfig: bool({
    usage:
      'Also add the cluster to ~/.kube/config, or to the files in $KUBECONFIG. See "coxswain kubeconfig".',
  }),
  kubernetesVersion: kubernetesVersion({
    usage:
      'The version of Kubernetes to behave as, such as 1.34: the newest (the default) or one of the three minor versions before it.',
  }),
  threads: threads({
    default: 1,
    usage:
      'The number of threads that accept connections and serve requests. 1 means the main thread; with more, the main thread keeps the store, the controllers and the nodes, and only what it does is recorded.',
  }),
  durability: choice(['sync', 'relaxed'])({
    usage:
      "When a write is acknowledged: 'sync' once it is on disk, 'relaxed' once the operating system has it; a power failure may then lose the most recent writes.",
  }),
  port: port({ default: 6443, usage: 'The HTTPS port. 0 picks a free port.' }),
  ui: bool({
    default: true,
    usage: 'Serve a page that shows the cluster in the browser. See "coxswain ui".',
  }),
  uiPort: port({
    default: uiPortDefault,
    usage: 'The HTTP port of the page of --ui, on 127.0.0.1. Another one is used if it is taken.',
  }),
  nodes: simulatedNodes({ default: 1, usage: 'The number of simulated nodes.' }),
  node: bool({ usage: 'Make this machine a node that runs real containers. Requires containerd and root.' }),
  containerRuntimeEndpoint: string({
    default: 'unix:///run/containerd/containerd.sock',
    usage: 'The socket of the container runtime, used with --node.',
  }),
  nodeIp: address({
    usage:
      'The IP address of this machine, used with --node and --server. Defaults to the address on the default route.',
  }),
  cniConfDir: string({
    default: '/etc/cni/net.d',
    usage:
      'Directory with the CNI configuration of the container runtime, used with --node. If it is empty, a pod network is configured there.',
  }),
  podCidr: addressRange({
    default: '10.244.0.0/24',
    usage: 'The range of pod IP addresses on this machine, used with --node.',
  }),
  kubeletConfig: string({ usage: `${kubeletConfigUsage} Used with --node.` }),
  server: bool({ usage: 'Let other machines join as nodes. See "coxswain join".' }),
  bindAddress: address({
    usage: 'The IP address to listen on. Defaults to 127.0.0.1, or 0.0.0.0 with --server or --node.',
  }),
  advertiseAddress: address({
    usage:
      'The IP address at which other machines reach this one, used with --node and --server. Defaults to --node-ip, or the address on the default route.',
  }),
  tlsSan: hostNames({
    usage: 'Additional host names and IP addresses for the certificate of the API server.',
  }),
  clusterCidr: addressRange({
    default: '10.244.0.0/16',
    usage:
      'The range of pod IP addresses of the whole cluster, used with --server. Each machine gets a part of it.',
  }),
  etcdServers: stringSlice({
    usage:
      'The etcd servers to store in (scheme://ip:port), used with --server. Several servers can share them. See "coxswain join --control-plane".',
  }),
  etcdCafile: string({ usage: 'File with the certificate authority of the servers in --etcd-servers.' }),
  etcdCertfile: string({
    usage: 'File with the certificate that is shown to the servers in --etcd-servers.',
  }),
  etcdKeyfile: string({ usage: 'File with the key of that certificate, used with --etcd-servers.' }),
  controlPlaneEndpoint: string({
    usage:
      'The address, as HOST or HOST:PORT, at which all servers of the cluster are reached, used with --server: a name with several addresses, or a load balancer. Defaults to the address of the first server.',
  }),
  uploadCerts: bool({
    usage:
      'With --etcd-servers, store the keys of the cluster in it, encrypted, for two hours, and print the command that adds a server.',
  }),
  certificateKey: string({
    usage: 'The key with which --upload-certs encrypts, 32 bytes in hexadecimal. Generated if unset.',
  }),
  token: string({ usage: 'The token that machines join with, used with --server. Generated if unset.' }),
  tokenTtl: lifetime({
    default: tokenTtlMsDefault,
    usage: 'How long the token of --server is valid. 0 means it never expires.',
  }),
  stages: string({
    usage: 'File with kwok stages and other kwok objects, for nodes annotated with kwok.x-k8s.io/node=fake.',
  }),
  images: string({
    usage:
      'Module (JavaScript or TypeScript) whose default export defines images by name, with functions as programs, for simulated nodes.',
  }),
  schedulerConfig: string({
    usage:
      'File with the scheduler configuration (KubeSchedulerConfiguration): profiles, extenders and back-off times.',
  }),
  schedulerPlugins: string({
    usage:
      'Module (JavaScript or TypeScript) whose default export is a list of scheduler plugins with functions.',
  }),
  controllers: stringSlice({
    default: ['*'],
    usage:
      "Controllers to run. '*' enables all that are on by default, 'foo' enables the controller named foo, '-foo' disables it.",
  }),
  addons: stringSlice({
    default: [...addonNames],
    usage:
      "Add-ons for clusters whose nodes are all simulated: a default StorageClass ('storage'), addresses for Services of type LoadBalancer ('load-balancers'), an IngressClass ('ingress-class'). Set to the empty string for none.",
  }),
  networkPolicies: bool({
    default: true,
    usage: 'Enforce network policies between simulated pods.',
  }),
  metrics: bool({
    default: true,
    usage: "Serve metrics.k8s.io, for 'kubectl top' and autoscalers.",
  }),
  record: string({
    usage:
      'Record every step from the start, and write the recording to this file when the cluster stops. See "coxswain trace".',
  }),
  legacyApis: bool({ usage: 'Also serve the beta API groups of Kubernetes 1.20.' }),
  ...clusterFlags,
};

export type UpFlags = FlagValues<typeof upFlags>;
