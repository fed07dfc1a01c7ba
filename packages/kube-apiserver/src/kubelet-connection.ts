/**
 * How the API server reaches the kubelet of a node, for logs and streams of containers. The all-in-one plugs
 * its kubelets in directly; over the network a kubelet is found by its node's addresses.
 */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';

export type StreamOperation = 'exec' | 'attach' | 'portforward';
export type KubeletOperation = 'log' | StreamOperation;

export interface KubeletCall {
  readonly operation: KubeletOperation;
  readonly node: Node;
  readonly namespace: string;
  readonly podName: string;
  readonly podUid: string;
  /** Empty for port forwarding. */
  readonly containerName: string;
  /** The request's own: `follow`, `tailLines`, `command`, `stdin`, … */
  readonly parameters: URLSearchParams;
  /** Present where the kubelet may not know the WebSockets of newer clients: it is asked over SPDY then. */
  readonly translation?: StreamTranslation | undefined;
}

export interface StreamTranslation {
  /** Is told the status that a translated stream was answered with, or would have been. */
  readonly onAnswer: (code: number) => void;
}

export interface NodeProxyCall {
  readonly node: Node;
  /** The kubelet's own when empty. */
  readonly scheme: '' | 'http' | 'https';
  readonly port: string;
  /** Percent-encoded, below the kubelet's root. */
  readonly path: string;
  /** The path that the client sees as the root. */
  readonly pathPrefix: string;
}

export interface KubeletConnection {
  /** @throws StatusError when the node's kubelet can't be reached */
  call(request: ApiRequest, call: KubeletCall): Promise<ApiResponse>;
  /** `nodes/proxy`: any request to the kubelet itself, or to another port of its machine. */
  proxy(request: ApiRequest, call: NodeProxyCall): Promise<ApiResponse>;
}
