/** The `kubelet` program without a container runtime: flags → simulated nodes. */
import { hostname } from 'node:os';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { createClient, resolveKubeconfig, TokenBucket, type Kubeconfig } from '@coxswain/client';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import type { KubeletIo } from '@coxswain/kubelet/kubelet-io.ts';
import { parseTaint } from '@coxswain/kubelet/config/flag-settings.ts';
import type { KubeletFlags } from '@coxswain/kubelet/flags.ts';
import type { NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import { lonelyNode, numberedNode } from './numbered-nodes.ts';
import { startSimulatedKubelets } from './start-simulated-kubelets.ts';

/** Resolves when the signal of `io` has aborted and all nodes have stopped. */
export async function runSimulatedNodes(values: KubeletFlags, io: KubeletIo): Promise<void> {
  const nodes = nodesOf(values);
  const log = (text: string) => void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
  const client = createClient({
    transport: transportOf(resolveKubeconfig(kubeconfigOf(values, io), {})),
    userAgent: 'kubelet/coxswain',
    ...(values.kubeApiQps > 0
      ? { rateLimiter: new TokenBucket(systemClock, values.kubeApiQps, values.kubeApiBurst) }
      : {}),
  });
  try {
    const running = startSimulatedKubelets({
      client,
      nodes,
      signal: io.signal,
      eventsPerSecond: values.eventQps || Infinity,
      eventBurst: values.eventBurst,
      onError: (error) => log(messageOf(error)),
    });
    await running.registered;
    if (!io.signal.aborted)
      log(`registered ${nodes.length === 1 ? nodes[0]!.name : `${nodes.length} nodes`}`);
    await running.stopped;
  } finally {
    await client.close();
  }
}

function nodesOf(values: KubeletFlags): readonly NodeSpec[] {
  if (values.simulatedNodes < 1)
    throw new Error(
      `invalid argument "${values.simulatedNodes}" for "--simulated-nodes" flag: must be at least 1`,
    );
  const name = (values.hostnameOverride || hostname()).toLowerCase();
  const shared = {
    labels: values.nodeLabels,
    ...(values.registerWithTaints.length === 0 ? {} : { taints: values.registerWithTaints.map(parseTaint) }),
    capacity: { pods: String(values.maxPods) },
  };
  if (values.simulatedNodes > 1) {
    return Array.from({ length: values.simulatedNodes }, (_, index) => ({
      ...numberedNode(index, name),
      ...shared,
    }));
  }
  return [
    {
      ...lonelyNode(name),
      ...shared,
      ...(values.nodeIp ? { address: values.nodeIp } : {}),
      ...(values.podCidr ? { podCidr: values.podCidr } : {}),
    },
  ];
}

function kubeconfigOf(values: KubeletFlags, io: KubeletIo): Kubeconfig {
  if (values.kubeconfig) return loadKubeconfig({ file: values.kubeconfig, env: io.env });
  return inClusterKubeconfig(io.env) ?? {};
}
