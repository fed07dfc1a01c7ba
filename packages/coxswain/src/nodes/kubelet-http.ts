/** Serves the HTTPS port of a kubelet, for `nodes/proxy` to simulated nodes. */
import { ownMember } from '@coxswain/apimachinery/own-member.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { jsonResponse, textResponse, type ApiRequest, type ApiResponse } from '@coxswain/apiserver';
import { StatusError } from '@coxswain/apimachinery';
import type { KubeletCall, NodeProxyCall } from '@coxswain/kube-apiserver';
import type { KubeletConnection } from '@coxswain/kubelet';
import {
  cadvisorMetrics,
  kubeletMetrics,
  resourceMetrics,
  summaryOf,
  type FiguresParts,
  type UsageOfPod,
} from '../simulated-metrics/kubelet-figures.ts';
import type { UsageMeter } from '../simulated-metrics/usage-meter.ts';

export type UsageOnNode = (node: NodeProxyCall['node'], pod: Pod) => ReturnType<UsageOfPod>;

export interface KubeletHttpCall {
  readonly request: ApiRequest;
  readonly proxy: NodeProxyCall;
  readonly node: KubeletConnection;
  /** Prometheus pages in addition to those below. */
  readonly pageOf: (node: NodeProxyCall['node'], path: string) => string | undefined;
  /** The declared resource usage of the containers of a pod on the node. */
  readonly usageOf: UsageOnNode;
  readonly meter: UsageMeter;
  /** Performs an operation on a container like the corresponding subresource of the API server. */
  operate(call: KubeletCall): Promise<ApiResponse>;
}

type Page = (call: KubeletHttpCall) => ApiResponse;

const pages: Readonly<Record<string, Page>> = {
  '/healthz': () => textResponse(200, 'ok'),
  '/healthz/ping': () => textResponse(200, 'ok'),
  '/healthz/log': () => textResponse(200, 'ok'),
  '/healthz/syncloop': () => textResponse(200, 'ok'),
  '/pods': ({ node }) => podList(node.pods()),
  '/runningpods': ({ node }) => podList(node.pods().filter(({ status }) => status?.phase === 'Running')),
  '/configz': ({ proxy }) => jsonResponse(200, { kubeletconfig: configurationOf(proxy) }),
  '/stats/summary': (call) => jsonResponse(200, summaryOf(figuresOf(call))),
  '/metrics': (call) => metricsPage(kubeletMetrics(figuresOf(call))),
  '/metrics/resource': (call) => metricsPage(resourceMetrics(figuresOf(call))),
  '/metrics/cadvisor': (call) => metricsPage(cadvisorMetrics(figuresOf(call))),
};

const metricsPage = (text: string): ApiResponse => textResponse(200, text, 'text/plain; version=0.0.4');

const figuresOf = ({ proxy, node, request, usageOf, meter }: KubeletHttpCall): FiguresParts => ({
  node: proxy.node,
  pods: node.pods(),
  usageOf: (pod) => usageOf(proxy.node, pod),
  meter,
  nowMs: request.receivedAtMs,
});

export async function serveKubeletHttp(call: KubeletHttpCall): Promise<ApiResponse> {
  const path = `/${call.proxy.path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
  const page = ownMember(pages, path);
  if (page !== undefined) return page(call);
  const declared = call.pageOf(call.proxy.node, path);
  if (declared !== undefined) return metricsPage(declared);
  const [, root = '', ...parts] = path.split('/').map(decodeURIComponent);
  const operation = ownMember(operations, root);
  if (operation === undefined || parts.length < 2) return textResponse(404, '404 page not found\n');
  return operateOn(call, operation, parts);
}

/** The kubelet's paths, and its own names for the streams. */
const operations: Readonly<Record<string, KubeletCall['operation'] | undefined>> = {
  containerLogs: 'log',
  exec: 'exec',
  attach: 'attach',
  portForward: 'portforward',
};
const parameterNames: Readonly<Record<string, string>> = {
  input: 'stdin',
  output: 'stdout',
  error: 'stderr',
  port: 'ports',
};

/**
 * Handles `/containerLogs/{namespace}/{pod}/{container}`; in `exec` and `attach` paths, the pod's uid may precede the
 * container.
 */
async function operateOn(
  { proxy, node, request, operate }: KubeletHttpCall,
  operation: KubeletCall['operation'],
  parts: readonly string[],
): Promise<ApiResponse> {
  const [namespace = '', podName = '', ...rest] = parts;
  const pod = node
    .pods()
    .find(({ metadata }) => metadata?.namespace === namespace && metadata.name === podName);
  if (pod === undefined) return textResponse(404, `pod "${podName}" not found\n`);
  const parameters = new URLSearchParams(
    [...request.parameters].map(([name, value]): [string, string] => [parameterNames[name] ?? name, value]),
  );
  try {
    return await operate({
      operation,
      node: proxy.node,
      namespace,
      podName,
      podUid: pod.metadata?.uid ?? '',
      containerName: rest.at(-1) ?? '',
      parameters,
    });
  } catch (failure) {
    if (!(failure instanceof StatusError)) throw failure;
    return textResponse(failure.code, `${failure.message}\n`);
  }
}

const podList = (items: readonly Pod[]): ApiResponse =>
  jsonResponse(200, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items });

/** The effective settings of a simulated kubelet, as fields of KubeletConfiguration. */
const configurationOf = ({ node }: NodeProxyCall) => ({
  kind: 'KubeletConfiguration',
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  port: node.status.daemonEndpoints?.kubeletEndpoint?.Port || 10_250,
  maxPods: Number(node.status.capacity?.['pods'] ?? 110),
  podCIDR: node.spec.podCIDR ?? '',
  nodeStatusUpdateFrequency: '10s',
  nodeLeaseDurationSeconds: 40,
  containerRuntimeEndpoint: 'simulated',
});
