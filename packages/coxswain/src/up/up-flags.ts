/** The flags of `coxswain up`. */

import { bool, choice, duration, string, stringSlice, type FlagValues } from '@coxswain/cobra';
import { addonNames } from '../addons/addon-names.ts';
import { address, addressRange, port, simulatedNodes } from '../commands/value-kinds.ts';
import { tokenTtlMsDefault } from '../joining/bootstrap-token.ts';
import { kubeletConfigUsage } from '../kubelet-settings.ts';

export const upFlags = {
  dataDir: string({
    usage:
      'Directory for keys, kubeconfig and data. The default is coxswain in the data directory of the user.',
  }),
  inMemory: bool({ usage: 'Keep nothing: storage in memory, keys in a temporary directory.' }),
  detach: bool({
    shorthand: 'd',
    usage: 'Return when the cluster is ready; it goes on until "coxswain down".',
  }),
  mergeKubeconfig: bool({
    usage:
      'Put the context of the cluster into ~/.kube/config too, or the files of $KUBECONFIG; see coxswain kubeconfig.',
  }),
  durability: choice(['sync', 'relaxed'])({
    usage:
      "When a write is answered: 'sync' when the disk has it, 'relaxed' when the operating system has it, so that a loss of power may take the last ones.",
  }),
  port: port({ default: 6443, usage: 'Port for HTTPS on 127.0.0.1. 0 takes a free one.' }),
  nodes: simulatedNodes({ default: 1, usage: 'How many simulated nodes to run.' }),
  node: bool({ usage: 'Make this machine a node whose containers are real; needs containerd and root.' }),
  containerRuntimeEndpoint: string({
    default: 'unix:///run/containerd/containerd.sock',
    usage: 'The socket of the container runtime, for --node.',
  }),
  nodeIp: address({ usage: 'The address of this machine as a node; that of its default route when empty.' }),
  cniConfDir: string({
    default: '/etc/cni/net.d',
    usage: 'Where the container runtime looks for the pod network; one is written there when it has none.',
  }),
  podCidr: addressRange({
    default: '10.244.0.0/24',
    usage: 'From where pods of this machine get addresses.',
  }),
  kubeletConfig: string({ usage: kubeletConfigUsage }),
  server: bool({ usage: 'Let other machines join as nodes; see coxswain join.' }),
  bindAddress: address({
    usage: 'The address to serve at. The default is 127.0.0.1, and 0.0.0.0 with --server or --node.',
  }),
  advertiseAddress: address({
    usage:
      'The address by which other machines reach this one; --node-ip, or that of the default route, when empty.',
  }),
  tlsSan: stringSlice({
    usage: 'Other names and addresses by which this server is reached, for its certificate.',
  }),
  clusterCidr: addressRange({
    default: '10.244.0.0/16',
    usage: 'From where pods of all machines get addresses, with --server; each machine gets a part.',
  }),
  token: string({ usage: 'The token by which machines may join, with --server; a new one when empty.' }),
  tokenTtl: duration({
    default: tokenTtlMsDefault,
    usage: 'How long that token is good; 0 for ever.',
  }),
  stages: string({
    usage:
      'File with stages and other objects of kwok, for nodes that are annotated kwok.x-k8s.io/node=fake.',
  }),
  schedulerConfig: string({
    usage: 'The configuration of the scheduler: profiles, extenders, and how long pods wait.',
  }),
  controllers: stringSlice({
    default: ['*'],
    usage: "Controllers to run: '*' for all that are on by default, 'foo' for one, '-foo' for all but one.",
  }),
  addons: stringSlice({
    default: [...addonNames],
    usage:
      "What clusters have beside Kubernetes, where all nodes are simulated: a default StorageClass ('storage'), addresses for Services ('load-balancers'), an IngressClass ('ingress-class'). None when empty.",
  }),
  networkPolicies: bool({
    default: true,
    usage: 'Network policies hold between simulated pods.',
  }),
  legacyApis: bool({ usage: 'Serve the beta groups of Kubernetes 1.20 too.' }),
};

export type UpFlags = FlagValues<typeof upFlags>;
