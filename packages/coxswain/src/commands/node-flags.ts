/** Flags of the commands that make this machine a node of another cluster. */
import { string } from '@coxswain/cobra';

export const nodeDirectoryDefault = '/var/lib/coxswain-node';

export const nodeDirectoryFlag = string({
  default: nodeDirectoryDefault,
  usage: 'Directory for keys and the state of the kubelet.',
});

export const runtimeEndpointFlag = string({
  default: 'unix:///run/containerd/containerd.sock',
  usage: 'The socket of the container runtime.',
});

export const cniConfDirFlag = string({
  default: '/etc/cni/net.d',
  usage:
    'Directory with the CNI configuration of the container runtime. If it is empty, a pod network is configured there.',
});
