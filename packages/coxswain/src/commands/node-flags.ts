/** Flags of the commands about this machine as a node of another cluster. */
import { string } from '@coxswain/cobra';

export const nodeFolderFlag = string({
  default: '/var/lib/coxswain-node',
  usage: 'Directory for keys and what the kubelet keeps.',
});

export const runtimeEndpointFlag = string({
  default: 'unix:///run/containerd/containerd.sock',
  usage: 'The socket of the container runtime.',
});

export const cniConfDirFlag = string({
  default: '/etc/cni/net.d',
  usage: 'Where the container runtime looks for the pod network; one is written there when it has none.',
});
