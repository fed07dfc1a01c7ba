/**
 * How the API server reaches the kubelet of a node, for logs and streams of containers. The all-in-one plugs
 * its kubelets in directly; over the network a kubelet is found by its node's addresses.
 */
import { goQuote, StatusError } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';

export type KubeletOperation = 'log' | 'exec' | 'attach' | 'portforward';

export interface KubeletCall {
  readonly operation: KubeletOperation;
  readonly nodeName: string;
  readonly namespace: string;
  readonly podName: string;
  readonly podUid: string;
  /** Empty for port forwarding. */
  readonly containerName: string;
  /** The request's own: `follow`, `tailLines`, `command`, `stdin`, … */
  readonly parameters: URLSearchParams;
}

export interface KubeletConnection {
  /** @throws StatusError when the node's kubelet can't be reached */
  call(request: ApiRequest, call: KubeletCall): Promise<ApiResponse>;
}

/** What the original answers when nothing listens at the address of a node. */
export const noKubelets: KubeletConnection = {
  call: (_request, { nodeName, operation }) =>
    Promise.reject(
      new StatusError(
        500,
        '',
        `no way to the kubelet of node ${goQuote(nodeName)}: ${operation} over the network is not implemented by this server`,
      ),
    ),
};
