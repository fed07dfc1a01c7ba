/** The `kube-controller-manager` program: flags → connection → leader election → controllers, until it is stopped. */

import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { createClient, resolveKubeconfig, type KubeClient, type Kubeconfig } from '@coxswain/client';
import { RestMetrics } from '@coxswain/client/rest/rest-metrics.ts';
import { statedFeatures } from '@coxswain/component-base/features/stated-features.ts';
import { leaderHealth, type LeaderHealth } from '@coxswain/component-base/leader-election/leader-health.ts';
import { versionText } from '@coxswain/component-base/version-flag.ts';
import { runElected } from '@coxswain/component-base/leader-election/elected-program.ts';
import type { ComponentServer } from '@coxswain/apiserver/component/component-server.ts';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { command, noArgs, runProgram, sectionedStyle, type CommandIo } from '@coxswain/cobra';
import { enabledControllers } from './controllers.ts';
import { effectiveFlags, type ManagerFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import { managerConfiguration } from './manager-configuration.ts';
import { settingsOf } from './manager-settings.ts';
import { serviceAccountClients } from './service-account-clients.ts';
import { startControllers } from './start-controllers.ts';

export interface ControllerManagerIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program should stop. */
  readonly signal: AbortSignal;
}

const allFlags = { ...ineffectiveFlags, ...effectiveFlags };

/** Resolves with the exit status. */
export function runControllerManager(args: readonly string[], io: ControllerManagerIo): Promise<number> {
  const root = command({
    use: 'kube-controller-manager',
    short: 'Run the controllers that reconcile the cluster',
    long: 'The Kubernetes controller manager runs the control loops that watch the state of a cluster through\nthe API server and move it towards the desired state.',
    args: noArgs,
    flags: allFlags,
    style: sectionedStyle,
    run: (invocation) => manage(invocation.flags as unknown as ManagerFlags, io),
  });
  return runProgram(root, args, io, undefined);
}

async function manage(values: ManagerFlags, io: ControllerManagerIo): Promise<void> {
  const version = versionText(values.version);
  if (version !== undefined) return void io.out.write(version);
  const { enabled: isFeatureOn } = statedFeatures(values);
  enabledControllers(values.controllers, isFeatureOn);
  const log = (text: string) => void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
  const config = configOf(values, io);
  const resolved = resolveKubeconfig(config, values.master ? { clusterInfo: { server: values.master } } : {});
  const metrics = new Metrics();
  const transport = transportOf(resolved);
  const client = createClient({
    transport,
    userAgent: 'kube-controller-manager/coxswain',
    metrics: new RestMetrics(metrics, transport.address),
  });
  const clientFor = values.useServiceAccountCredentials
    ? serviceAccountClients(transportOf({ ...resolved, user: {} }), client, systemClock)
    : undefined;
  const election = {
    namespace: values.leaderElectResourceNamespace,
    name: values.leaderElectResourceName,
    leaseDurationMs: values.leaderElectLeaseDuration,
    renewDeadlineMs: values.leaderElectRenewDeadline,
    retryPeriodMs: values.leaderElectRetryPeriod,
    component: 'kube-controller-manager',
  };
  const health = values.leaderElect ? leaderHealth(election, systemClock) : undefined;
  const port = await servePort(values, io, metrics, health, log);
  try {
    const lead = (signal: AbortSignal) => runUntil(signal, values, client, clientFor, metrics, log);
    await (health
      ? runElected({ ...election, health, client, signal: io.signal, lead, metrics, log })
      : lead(io.signal));
  } finally {
    await port?.close();
    await client.close();
  }
}

/** Serves health, metrics and configuration; loaded only if they are served. */
async function servePort(
  values: ManagerFlags,
  { env }: ControllerManagerIo,
  metrics: Metrics,
  health: LeaderHealth | undefined,
  log: (text: string) => void,
): Promise<ComponentServer | undefined> {
  if (values.securePort === 0) return undefined;
  const { serveProgram } = await import('@coxswain/apiserver/component/serve-program.ts');
  const { flagTexts } = await import('@coxswain/apiserver/component/flag-texts.ts');
  const { celMetrics } = await import('@coxswain/apiserver/metrics/cel-metrics.ts');
  const features = statedFeatures(values);
  const enabled = enabledControllers(values.controllers, features.enabled);
  // Upstream's program also links these in without ever updating them.
  celMetrics(metrics);
  const pings = enabled.map(({ name }) => ({ name, check: () => undefined }));
  const checks = health === undefined ? pings : [health.check, ...pings];
  return serveProgram(values, env, {
    name: 'kube-controller-manager',
    checks: { '/healthz': () => checks },
    configuration: () => managerConfiguration(values),
    flags: flagTexts(allFlags, values),
    metrics,
    features,
    emulates: true,
    offersProfiles: values.profiling,
    log,
  });
}

function configOf(values: ManagerFlags, io: ControllerManagerIo): Kubeconfig {
  if (values.kubeconfig) return loadKubeconfig({ file: values.kubeconfig, env: io.env });
  return inClusterKubeconfig(io.env) ?? {};
}

async function runUntil(
  signal: AbortSignal,
  values: ManagerFlags,
  client: KubeClient,
  clientFor: ((serviceAccount: string) => KubeClient) | undefined,
  metrics: Metrics,
  log: (text: string) => void,
): Promise<void> {
  const running = startControllers({
    client,
    ...(clientFor === undefined ? {} : { clientFor }),
    controllers: values.controllers,
    settings: settingsOf(values),
    metrics,
    signal,
    onError: (error, controller, key) =>
      log(`${controller}${key === undefined ? '' : ` ${key}`}: ${messageOf(error)}`),
  });
  log(`started ${running.names.join(', ')}`);
  await running.stopped;
}
