/** Replaces `testing/kubeconfig-port.ts`: a page cannot listen on a port. */
import type { KubeconfigPort } from '../testing/kubeconfig-port.ts';

export const kubeconfigPort = (): KubeconfigPort => ({
  address: undefined,
  kubeconfig: () =>
    Promise.reject(new Error('kubeconfig: a browser opens no port; use cluster.kubectl() or cluster.client')),
  close: () => Promise.resolve(),
});
