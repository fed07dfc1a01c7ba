/**
 * Connects the API server's subresources of pods and nodes to the kubelets of this process, in place of a network
 * connection to the kubelet's port.
 */

import {
  internalError,
  runStep,
  serviceUnavailable,
  type Clock,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeletCall, KubeletConnection } from '@coxswain/kube-apiserver';
import { unreachable } from '@coxswain/kube-apiserver/proxy/forwarder.ts';
import { logOptions, streamedLog } from '@coxswain/kubelet/server/log-stream.ts';
import { serveKubeletHttp, type UsageOnNode } from './kubelet-http.ts';
import type { NodeDirectory } from './node-directory.ts';
import { podUsage } from '../simulated-metrics/simulated-usage.ts';
import { UsageMeter } from '../simulated-metrics/usage-meter.ts';
import { streamInto } from './kubelet-streams.ts';

export interface KubeletBridgeOptions {
  readonly nodes: NodeDirectory;
  /** Connects to nodes that are not of this process. */
  readonly elsewhere: KubeletConnection;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

export function kubeletBridge({ nodes, elsewhere, clock, log }: KubeletBridgeOptions): KubeletConnection {
  const meter = new UsageMeter(clock);
  const connection = ({ node }: Pick<KubeletCall, 'node'>) => nodes.connection(node as KubeObject);
  // Whether no machine in the network has the node's address.
  const isLost = ({ node }: Pick<KubeletCall, 'node'>) => nodes.isLost(node.metadata.name!);
  const pageOf = (node: KubeletCall['node'], path: string) => nodes.page(node as Node, path);
  const usageOf: UsageOnNode = (node, pod) =>
    podUsage(pod, (container) => nodes.usage(node as Node, pod, container));
  const call: KubeletConnection['call'] = async (request, call) => {
    const node = connection(call);
    if (node === undefined && isLost(call)) throw internalError(noRoute(call));
    if (node === undefined) return elsewhere.call(request, call);
    const target = targetOf(call);
    if (call.operation !== 'log') return streamInto({ request, call, node, target, clock });
    const options = logOptions(request, call.parameters);
    const { signal: _, ...reported } = options;
    const lines = await runStep(
      request.observer,
      'stream/log',
      () => node.logs(target, options),
      { pod: `${target.namespace}/${target.name}`, container: target.container, ...reported },
      node.logs,
    );
    return streamedLog(lines, (failure) => log(`log of ${call.podName}: ${String(failure)}`));
  };
  return {
    call,
    async proxy(request, proxy) {
      const node = connection(proxy);
      if (node === undefined && isLost(proxy)) throw serviceUnavailable(`${unreachable}${noRoute(proxy)}`);
      if (node === undefined) return elsewhere.proxy(request, proxy);
      const { port, address } = kubeletEndpoint(proxy.node);
      // A simulated machine listens on no other port.
      if (proxy.port !== '' && proxy.port !== port)
        throw serviceUnavailable(
          `${unreachable}dial tcp ${address}:${proxy.port}: connect: connection refused`,
        );
      const operate = (operation: KubeletCall) => call(request, operation);
      return serveKubeletHttp({ request, proxy, node, pageOf, usageOf, meter, operate });
    },
  };
}

const noRoute = ({ node }: Pick<KubeletCall, 'node'>): string => {
  const { address, port } = kubeletEndpoint(node);
  return `dial tcp ${address}:${port}: connect: no route to host`;
};

const kubeletPortDefault = 10_250;

const kubeletEndpoint = ({ status }: KubeletCall['node']) => ({
  port: String(status?.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPortDefault),
  address: status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '',
});

const targetOf = (call: KubeletCall) => ({
  namespace: call.namespace,
  name: call.podName,
  uid: call.podUid,
  container: call.containerName,
});
