/**
 * Connects to a node's kubelet for logs and streams of containers. The all-in-one program plugs its kubelets in
 * directly; over the network a kubelet is found by its node's addresses.
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
  /** The request's own parameters: `follow`, `tailLines`, `command`, `stdin`, … */
  readonly parameters: URLSearchParams;
  /** Set if the kubelet may not support the WebSockets of newer clients: it is then called over SPDY. */
  readonly translation?: StreamTranslation | undefined;
}

export interface StreamTranslation {
  /** Called with the response status of a translated stream. */
  readonly onAnswer: (code: number) => void;
}

export interface NodeProxyCall {
  readonly node: Node;
  /** Empty for the kubelet's own. */
  readonly scheme: '' | 'http' | 'https';
  readonly port: string;
  /** Percent-encoded, below the kubelet's root. */
  readonly path: string;
  /** The path that is the root for the client. */
  readonly pathPrefix: string;
}

export interface KubeletConnection {
  /** @throws StatusError when the node's kubelet is unreachable */
  call(request: ApiRequest, call: KubeletCall): Promise<ApiResponse>;
  /** `nodes/proxy`: forwards any request to the kubelet itself, or to another port of its machine. */
  proxy(request: ApiRequest, call: NodeProxyCall): Promise<ApiResponse>;
}
