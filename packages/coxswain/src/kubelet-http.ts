/** What the HTTPS port of a kubelet serves, for `nodes/proxy` to simulated nodes. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { jsonResponse, textResponse } from '@coxswain/apiserver';
import { StatusError } from '@coxswain/apimachinery';
import type { KubeletCall, NodeProxyCall } from '@coxswain/kube-apiserver';
import type { KubeletConnection } from '@coxswain/kubelet';

export interface KubeletHttpCall {
  readonly request: ApiRequest;
  readonly proxy: NodeProxyCall;
  readonly node: KubeletConnection;
  /** Runs an operation on a container as the API server's own subresources do. */
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
  '/stats/summary': ({ proxy, node, request }) =>
    jsonResponse(200, summaryOf(proxy, node.pods(), request.receivedAtMs)),
  '/metrics/resource': ({ node, request }) =>
    textResponse(200, resourceMetrics(node.pods(), request.receivedAtMs), 'text/plain; version=0.0.4'),
};

export async function serveKubeletHttp(call: KubeletHttpCall): Promise<ApiResponse> {
  const path = `/${call.proxy.path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page !== undefined) return page(call);
  const [, root = '', ...parts] = path.split('/').map(decodeURIComponent);
  const operation = operations[root];
  if (operation === undefined || parts.length < 2) return textResponse(404, '404 page not found\n');
  return operateOn(call, operation, parts);
}

/** The kubelet's roots, and its own names of the streams. */
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

/** `/containerLogs/{namespace}/{pod}/{container}`; `exec` and `attach` may have the pod's uid before the container. */
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
    [...request.parameters].map(([name, value]) => [parameterNames[name] ?? name, value]),
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

/** What a simulated kubelet goes by, under the names of KubeletConfiguration. */
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

/** Nothing runs, so nothing is used: the figures are zero, the objects are those that are there. */
function summaryOf({ node }: NodeProxyCall, pods: readonly Pod[], nowMs: number) {
  const time = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const cpu = { time, usageNanoCores: 0, usageCoreNanoSeconds: 0 };
  const memory = { time, usageBytes: 0, workingSetBytes: 0, rssBytes: 0 };
  return {
    node: { nodeName: node.metadata.name, startTime: node.metadata.creationTimestamp, cpu, memory },
    pods: pods.map(({ metadata, status }) => ({
      podRef: { name: metadata?.name, namespace: metadata?.namespace, uid: metadata?.uid },
      startTime: status?.startTime ?? null,
      containers: (status?.containerStatuses ?? []).map(({ name, state }) => ({
        name,
        startTime: state?.running?.startedAt ?? null,
        cpu,
        memory,
      })),
      cpu,
      memory,
    })),
  };
}

function resourceMetrics(pods: readonly Pod[], nowMs: number): string {
  const running = pods.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? [])
      .filter(({ state }) => state?.running)
      .map(({ name }) => `container="${name}",namespace="${metadata?.namespace}",pod="${metadata?.name}"`),
  );
  const metric = (name: string, type: string, help: string, labels: readonly string[]) =>
    [
      `# HELP ${name} [STABLE] ${help}`,
      `# TYPE ${name} ${type}`,
      ...labels.map((label) => `${name}${label === '' ? '' : `{${label}}`} 0 ${nowMs}`),
    ].join('\n');
  const cpu = 'cumulative cpu time consumed in core-seconds';
  const memory = 'current working set in bytes';
  return `${[
    metric('container_cpu_usage_seconds_total', 'counter', `Container ${cpu}`, running),
    metric('container_memory_working_set_bytes', 'gauge', `Container ${memory}`, running),
    metric('node_cpu_usage_seconds_total', 'counter', `Node ${cpu}`, ['']),
    metric('node_memory_working_set_bytes', 'gauge', `Node ${memory}`, ['']),
  ].join('\n')}\n`;
}
