/** The `kube-proxy` program: services and endpoints of a cluster → the packet rules of a node. */

import { hostname } from 'node:os';
import { systemClock } from '@coxswain/apimachinery';
import { featureGates } from '@coxswain/apiserver/features/feature-gates.ts';
import { createClient, resolveKubeconfig } from '@coxswain/client';
import type { Kubeconfig } from '@coxswain/client';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { command, noArgs, runProgram, sectionedStyle } from '@coxswain/cobra';
import type { CommandIo } from '@coxswain/cobra';
import { effectiveFlags } from './flags.ts';
import type { KubeProxyFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import { dryWriter } from './nftables/dry-writer.ts';
import { startKubeProxy } from './start-kube-proxy.ts';

export interface KubeProxyIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}

/** Resolves with the exit status. */
export function runKubeProxy(args: readonly string[], io: KubeProxyIo): Promise<number> {
  const root = command({
    use: 'kube-proxy',
    short: 'Turn services into packet rules',
    long: 'The Kubernetes network proxy carries packets for services to the pods behind them, by rules in the kernel.\nHere the rules are only printed (--dry-run).',
    args: noArgs,
    flags: { ...ineffectiveFlags, ...effectiveFlags },
    style: sectionedStyle,
    run: (invocation) => proxy(invocation.flags as unknown as KubeProxyFlags, io),
  });
  return runProgram(root, args, io, undefined);
}

async function proxy(values: KubeProxyFlags, io: KubeProxyIo): Promise<void> {
  check(values);
  const client = createClient({
    transport: transportOf(
      resolveKubeconfig(
        kubeconfigOf(values, io),
        values.master ? { clusterInfo: { server: values.master } } : {},
      ),
    ),
    userAgent: 'kube-proxy/coxswain',
  });
  const stopping = new AbortController();
  const stop = () => stopping.abort(io.signal.reason);
  io.signal.addEventListener('abort', stop, { once: true });
  if (io.signal.aborted) stop();
  const writer = dryWriter((text) => void io.out.write(text), {
    masqueradeAll: values.masqueradeAll,
    masqueradeBit: values.iptablesMasqueradeBit,
    nodePortAddresses: values.nodeportAddresses,
    ...(values.clusterCidr ? { clusterCidr: values.clusterCidr } : {}),
  });
  const log = (text: string) => void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
  try {
    const running = startKubeProxy({
      client,
      writer,
      nodeName: (values.hostnameOverride || hostname()).toLowerCase(),
      signal: stopping.signal,
      onError: (error) => log(error instanceof Error ? error.message : String(error)),
    });
    if (values.once) await Promise.race([running.synced.then(stop), running.stopped]);
    await running.stopped;
  } finally {
    io.signal.removeEventListener('abort', stop);
    await client.close();
  }
}

/** @throws Error for what is not built, for values out of range, and for gates that nobody knows */
function check(values: KubeProxyFlags): void {
  featureGates(values.featureGates);
  if (values.proxyMode !== '' && values.proxyMode !== 'nftables') {
    throw new Error(`proxy mode "${values.proxyMode}" is not implemented, only "nftables" is`);
  }
  if (!values.dryRun)
    throw new Error('loading rules into the kernel is not implemented; --dry-run prints them');
  if (values.iptablesMasqueradeBit < 0 || values.iptablesMasqueradeBit > 31) {
    throw new Error(
      `invalid masquerade bit ${values.iptablesMasqueradeBit}: must be within the range [0, 31]`,
    );
  }
}

function kubeconfigOf(values: KubeProxyFlags, io: KubeProxyIo): Kubeconfig {
  if (values.kubeconfig) return loadKubeconfig({ file: values.kubeconfig, env: io.env });
  return inClusterKubeconfig(io.env) ?? {};
}
