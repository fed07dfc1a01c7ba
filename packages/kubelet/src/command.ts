/** The `kubelet` program: this machine as a node, or simulated nodes, one or many. */

import { hostname } from 'node:os';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { createClient, resolveKubeconfig, TokenBucket, type Kubeconfig } from '@coxswain/client';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { versionRequest, versionText } from '@coxswain/component-base/version-flag.ts';
import { command, noArgs, runProgram, sectionedStyle, type CommandIo } from '@coxswain/cobra';
import { parseTaint } from './config/flag-settings.ts';
import { effectiveFlags, simulatedEndpoint, type KubeletFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import { lonelyNode, numberedNode, type NodeSpec } from './node/node-spec.ts';
import type { FlagValuesOfKubelet } from './real-command.ts';
import { startSimulatedKubelets } from './start-simulated-kubelets.ts';

export interface KubeletIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}

/** Resolves with the exit status. */
export function runKubelet(args: readonly string[], io: KubeletIo): Promise<number> {
  const root = command({
    use: 'kubelet',
    short: 'Run the pods of a node',
    long: 'The kubelet is the node agent: it registers the node, runs the pods bound to it and reports their status.\nContainers are real if --container-runtime-endpoint or the configuration file names a runtime, and simulated otherwise.',
    args: noArgs,
    flags: {
      ...ineffectiveFlags,
      ...effectiveFlags,
      version: versionRequest({
        usage: 'Print the version and exit; --version=raw prints all version information.',
      }),
    },
    style: sectionedStyle,
    async run({ flags, changed }) {
      const version = versionText(flags.version);
      if (version !== undefined) return void io.out.write(version);
      const values = flags as unknown as FlagValuesOfKubelet;
      featureGates(values.featureGates);
      const isReal =
        values['config'] !== '' ||
        values['config-dir'] !== '' ||
        values.containerRuntimeEndpoint !== simulatedEndpoint;
      if (!isReal) return runNodes(values, io);
      const [{ runRealKubelet }, { settingsOf }, { ineffectiveFlagLines }] = await Promise.all([
        import('./real-command.ts'),
        import('./config/read-settings.ts'),
        import('./config/flags-without-setting.ts'),
      ]);
      const isGiven = (key: string): boolean => changed(key as never);
      const settings = settingsOf(values, isGiven);
      if (settings.containerRuntimeEndpoint === simulatedEndpoint) return runNodes(values, io);
      if (settings.containerRuntimeEndpoint === '')
        throw new Error(
          'the container runtime endpoint address was not specified or empty, use --container-runtime-endpoint to set',
        );
      const lines = ineffectiveFlagLines(Object.keys(ineffectiveFlags), isGiven);
      for (const line of lines) io.err.write(`${line}\n`);
      return runRealKubelet(settings, values, io);
    },
  });
  return runProgram(root, args, io, undefined);
}

async function runNodes(values: KubeletFlags, io: KubeletIo): Promise<void> {
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
