/**
 * Joins the API server's `pods/log` and `pods/exec` to the kubelets of this process: what the network
 * connection to a node's port is elsewhere.
 */

import type { ApiRequest, ApiResponse, StreamSink } from '@coxswain/apiserver';
import { StatusError } from '@coxswain/apimachinery';
import type { KubeletCall, KubeletConnection } from '@coxswain/kube-apiserver';
import type { LogOptions, RunningKubelets } from '@coxswain/kubelet';

export function kubeletBridge(
  kubelets: () => RunningKubelets | undefined,
  /** For nodes that are not of this process. */
  elsewhere: KubeletConnection,
  log: (line: string) => void,
): KubeletConnection {
  return {
    async call(request, call) {
      const nodeName = call.node.metadata.name!;
      const node = kubelets()?.connection(nodeName);
      if (node === undefined) return elsewhere.call(request, call);
      if (call.operation !== 'log') {
        throw new StatusError(
          501,
          'NotImplemented',
          `${call.operation} into simulated containers is not implemented`,
        );
      }
      const lines = await node.logs(targetOf(call), logOptions(request, call.parameters));
      return streamed(lines, (failure) => log(`log of ${call.podName}: ${String(failure)}`));
    },
    async proxy(request, call) {
      if (kubelets()?.connection(call.node.metadata.name!) === undefined)
        return elsewhere.proxy(request, call);
      throw new StatusError(501, 'NotImplemented', 'the kubelets of simulated nodes serve no HTTP');
    },
  };
}

const targetOf = (call: KubeletCall) => ({
  namespace: call.namespace,
  name: call.podName,
  uid: call.podUid,
  container: call.containerName,
});

function logOptions(request: ApiRequest, parameters: URLSearchParams): LogOptions {
  const number = (name: string) => (parameters.has(name) ? Number(parameters.get(name)) : undefined);
  const flag = (name: string) => ['true', '1', ''].includes(parameters.get(name) ?? 'false');
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = parameters.get('sinceTime');
  const tailLines = number('tailLines');
  const limitBytes = number('limitBytes');
  return {
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    signal: request.signal,
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(sinceSeconds !== undefined && { sinceMs: request.receivedAtMs - sinceSeconds * 1000 }),
    ...(sinceTime !== null && { sinceMs: Date.parse(sinceTime) }),
  };
}

function streamed(lines: AsyncIterable<Uint8Array>, onFailure: (failure: unknown) => void): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: { kind: 'stream', open: (sink) => void pour(lines, sink).catch(onFailure) },
  };
}

async function pour(lines: AsyncIterable<Uint8Array>, sink: StreamSink): Promise<void> {
  const reader = lines[Symbol.asyncIterator]();
  sink.onClose(() => void reader.return?.());
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) sink.write(next.value);
  sink.end();
}
