/** The `kubelet` program with a container runtime: starts a node from configuration file and flags. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { aborted, systemClock, systemRandom } from '@coxswain/apimachinery';
import { createClient, resolveKubeconfig, TokenBucket } from '@coxswain/client';
import { loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import type { ClientRotationOptions } from './certificates/client-rotation.ts';
import type { KubeletIo } from './kubelet-io.ts';
import { checkSettings } from './config/check-settings.ts';
import type { KubeletSettings } from './config/kubelet-configuration.ts';
import type { KubeletFlags } from './flags.ts';
import { settleKernel } from './node/kernel-settings.ts';
import { defaultAddress } from './node/machine.ts';
import { isMachineGoingDown } from './node/going-down.ts';
import { startRealKubelet } from './start-real-kubelet.ts';

export type FlagValuesOfKubelet = KubeletFlags & Readonly<Record<string, unknown>>;

/** Resolves when the signal of `io` has aborted and everything but the containers has stopped. */
export async function runRealKubelet(
  settings: KubeletSettings,
  values: FlagValuesOfKubelet,
  io: KubeletIo,
): Promise<void> {
  checkSettings(settings);
  checkMachine(settings);
  if (!values.kubeconfig)
    throw new Error('--kubeconfig is required: running without an API server is not implemented');
  const log = (text: string) => void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
  for (const line of settleKernel(settings.protectKernelDefaults)) log(line);
  const rootDirectory = String(values['root-dir'] || '/var/lib/kubelet');
  const certDirectory = String(values['cert-dir'] || `${rootDirectory}/pki`);
  const nodeName = (values.hostnameOverride || hostname()).toLowerCase();
  const { kubeconfig } = values;
  mkdirSync(rootDirectory, { recursive: true, mode: 0o750 });
  protectFromOom(settings.oomScoreAdj);
  const bootstrapKubeconfig = String(values['bootstrap-kubeconfig'] || '');
  if (bootstrapKubeconfig !== '') {
    const { bootstrapCredentials } = await import('./certificates/bootstrap.ts');
    const { signal } = io;
    const files = { kubeconfig, bootstrapKubeconfig, certDirectory };
    await bootstrapCredentials({ ...files, nodeName, clock: systemClock, signal, log });
  }
  const client = createClient({
    transport: transportOf(resolveKubeconfig(loadKubeconfig({ file: kubeconfig, env: io.env }), {})),
    userAgent: 'kubelet/coxswain',
    rateLimiter: new TokenBucket(systemClock, settings.kubeAPIQPS || Infinity, settings.kubeAPIBurst),
  });
  const stopping = new AbortController();
  try {
    const { signal } = stopping;
    const rotating = rotation({ settings, client, signal, kubeconfig, certDirectory, nodeName, log });
    const running = await startRealKubelet({
      client,
      settings,
      signal,
      nodeName,
      nodeIps: (values.nodeIp || defaultAddress() || '127.0.0.1').split(','),
      labels: values.nodeLabels,
      rootDirectory,
      certDirectory: String(values['cert-dir'] || `${rootDirectory}/pki`),
      log,
    });
    log(`registered ${nodeName}`);
    const health = await serveHealthOf(settings);
    await aborted(io.signal);
    if (running.shutDown !== undefined && (await isMachineGoingDown(io.signal.reason))) {
      log('the machine goes down: pods end');
      await running.shutDown();
    }
    stopping.abort();
    await Promise.all([running.stopped, rotating]);
    await health?.close();
    running.cri.close();
  } finally {
    stopping.abort();
    await client.close();
  }
}

/** Runs until the signal aborts; resolves at once if certificates are not rotated. */
async function rotation({
  settings,
  ...options
}: { readonly settings: KubeletSettings } & Omit<ClientRotationOptions, 'clock' | 'random'>): Promise<void> {
  if (!settings.rotateCertificates) return;
  const { rotateClientCertificate } = await import('./certificates/client-rotation.ts');
  await rotateClientCertificate({ ...options, clock: systemClock, random: systemRandom });
}

async function serveHealthOf({ healthzPort, healthzBindAddress }: KubeletSettings) {
  if (healthzPort <= 0) return undefined;
  const { serveHealth } = await import('./server/health-port.ts');
  return serveHealth(healthzBindAddress, healthzPort);
}

/** @throws Error if the settings rule out such a machine */
function checkMachine({ failCgroupV1, failSwapOn, singleProcessOOMKill }: KubeletSettings): void {
  const isCgroupV1 = !existsSync('/sys/fs/cgroup/cgroup.controllers');
  if (isCgroupV1 && singleProcessOOMKill === false)
    throw new Error(
      'invalid configuration: singleProcessOOMKill must not be explicitly set to false when using cgroup v1',
    );
  if (failCgroupV1 && isCgroupV1)
    throw new Error(
      'kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release',
    );
  if (failSwapOn && readFileSync('/proc/swaps', 'utf8').trim().split('\n').length > 1)
    throw new Error(
      'running with swap on is not supported, please disable swap or set --fail-swap-on flag to false',
    );
}

/** Makes the kubelet the last process for the OOM killer; without permission it continues regardless. */
function protectFromOom(score: number): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', String(score));
  } catch {
    // Not root, or in an unprivileged container.
  }
}
