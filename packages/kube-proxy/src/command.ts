/** The `kube-proxy` program: services and endpoints of a cluster → the packet rules of a node. */

import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { versionText } from '@coxswain/component-base/version-flag.ts';
import {
  createClient,
  resolveKubeconfig,
  TokenBucket,
  type KubeClient,
  type Kubeconfig,
} from '@coxswain/client';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { command, noArgs, runProgram, sectionedStyle, type CommandIo } from '@coxswain/cobra';
import { runNft } from '@coxswain/nftables';
import { problemsOf } from './config/check-configuration.ts';
import { settingsOfFlags } from './config/flag-configuration.ts';
import {
  configurationDocument,
  defaultSettings,
  readProxyConfiguration,
  type ProxySettings,
} from './config/proxy-configuration.ts';
import { effectiveFlags, type KubeProxyFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import { removeTables } from './nftables/family-table.ts';
import { runNodeProxy } from './run-node-proxy.ts';

export interface KubeProxyIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program should stop. */
  readonly signal: AbortSignal;
}

/** Resolves with the exit status. */
export function runKubeProxy(args: readonly string[], io: KubeProxyIo): Promise<number> {
  const root = command({
    use: 'kube-proxy',
    short: 'Route the traffic of services to pods',
    long: 'The Kubernetes network proxy runs on every node. It routes packets for services to the pods behind them with\nnftables rules in the kernel, which requires root and nft; --cleanup removes the rules.',
    args: noArgs,
    flags: { ...ineffectiveFlags, ...effectiveFlags },
    style: sectionedStyle,
    async run({ flags, changed }) {
      const values = flags as unknown as KubeProxyFlags;
      const version = versionText(values.version);
      if (version !== undefined) return void io.out.write(version);
      const log = (text: string) =>
        void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
      if (values.writeConfigTo !== '') return writeDefaults(values.writeConfigTo);
      if (values.cleanup) return removeTables(runNft);
      const settings = settingsOf(values, (name) => changed(name as never), log);
      if (values.initOnly) return;
      await proxy(settings, values, io, log);
    },
  });
  return runProgram(root, args, io, undefined);
}

/** JSON is YAML. */
const writeDefaults = (file: string): void =>
  writeFileSync(file, `${JSON.stringify(configurationDocument(defaultSettings), undefined, 2)}\n`);

/** @throws Error for modes that are not implemented and for invalid values */
function settingsOf(
  values: KubeProxyFlags,
  isGiven: (name: keyof KubeProxyFlags) => boolean,
  log: (text: string) => void,
): ProxySettings {
  featureGates(values.featureGates);
  const settings =
    values.config === ''
      ? settingsOfFlags(values, isGiven)
      : readProxyConfiguration(readYaml(readFileSync(values.config, 'utf8')), log);
  const problems = problemsOf(settings);
  if (problems.length > 0)
    throw new Error(`failed validate: ${problems.length > 1 ? `[${problems.join(', ')}]` : problems[0]}`);
  if (settings.mode === 'iptables' || settings.mode === 'ipvs')
    throw new Error(`proxy mode "${settings.mode}" is not implemented, only "nftables" and "userspace" are`);
  if (values.hostnameOverride !== '' && values.hostnameOverride.trim() === '')
    throw new Error('failed complete: empty hostname-override is invalid');
  return values.hostnameOverride === ''
    ? settings
    : { ...settings, hostnameOverride: values.hostnameOverride };
}

async function proxy(
  settings: ProxySettings,
  values: KubeProxyFlags,
  io: KubeProxyIo,
  log: (text: string) => void,
): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(io.signal.reason);
  io.signal.addEventListener('abort', stop, { once: true });
  if (io.signal.aborted) stop();
  const client = clientOf(settings, values.master, io);
  try {
    const running = await runNodeProxy({
      client,
      settings,
      nodeName: (settings.hostnameOverride || hostname()).trim().toLowerCase(),
      signal: stopping.signal,
      log,
      ...(values.dryRun ? { print: (text: string) => void io.out.write(text) } : {}),
    });
    if (values.dryRun && values.once) await Promise.race([running.synced.then(stop), running.stopped]);
    await running.stopped;
  } finally {
    io.signal.removeEventListener('abort', stop);
    await client.close();
  }
}

function clientOf({ clientConnection }: ProxySettings, master: string, io: KubeProxyIo): KubeClient {
  const { kubeconfig, qps, burst } = clientConnection;
  return createClient({
    transport: transportOf(
      resolveKubeconfig(kubeconfigOf(kubeconfig, io), master ? { clusterInfo: { server: master } } : {}),
    ),
    userAgent: 'kube-proxy/coxswain',
    ...(qps > 0 ? { rateLimiter: new TokenBucket(systemClock, qps, burst) } : {}),
  });
}

function kubeconfigOf(file: string, io: KubeProxyIo): Kubeconfig {
  if (file) return loadKubeconfig({ file, env: io.env });
  return inClusterKubeconfig(io.env) ?? {};
}
