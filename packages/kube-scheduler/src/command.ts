/** The `kube-scheduler` program: flags and configuration → connection → leadership → scheduling. */

import { readFileSync } from 'node:fs';
import type { FeatureGates } from '@coxswain/apiserver/features/feature-gates.ts';
import { featureGates } from '@coxswain/apiserver/features/feature-gates.ts';
import { leaderHealth } from '@coxswain/apiserver/component/leader-health.ts';
import type { LeaderHealth } from '@coxswain/apiserver/component/leader-health.ts';
import { versionText } from '@coxswain/apiserver/component/version-flag.ts';
import { runElected } from '@coxswain/apiserver/component/elected-program.ts';
import type { ComponentServer } from '@coxswain/apiserver/component/component-server.ts';
import type { HealthCheck } from '@coxswain/apiserver/health/health-check.ts';
import { parseDurationMs, readYaml, systemClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { RestMetrics } from '@coxswain/client/rest/rest-metrics.ts';
import { createClient, resolveKubeconfig, TokenBucket } from '@coxswain/client';
import type { Kubeconfig } from '@coxswain/client';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { command, noArgs, runProgram, sectionedStyle } from '@coxswain/cobra';
import type { CommandIo } from '@coxswain/cobra';
import { checkConfiguration } from './config/configuration.ts';
import type { KubeSchedulerConfiguration } from './config/configuration.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podResourceMetrics } from './metrics/pod-resources.ts';
import { profilesOf } from './config/profiles.ts';
import { effectiveFlags } from './flags.ts';
import type { SchedulerFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import { startScheduler } from './start-scheduler.ts';

export interface SchedulerIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}

const allFlags = { ...ineffectiveFlags, ...effectiveFlags };

/** Resolves with the exit status. */
export function runKubeScheduler(args: readonly string[], io: SchedulerIo): Promise<number> {
  const root = command({
    use: 'kube-scheduler',
    short: 'Choose a node for each pod',
    long: 'The Kubernetes scheduler finds for each pod that has none the node that fits it best, and binds the pod to it.',
    args: noArgs,
    flags: allFlags,
    style: sectionedStyle,
    run: (invocation) => schedule(invocation.flags as unknown as SchedulerFlags, io),
  });
  return runProgram(root, args, io, undefined);
}

/** The parts of the configuration file that are the program's, not the profiles'. */
interface ProgramConfiguration extends KubeSchedulerConfiguration {
  readonly clientConnection?: {
    readonly kubeconfig?: string;
    readonly qps?: number;
    readonly burst?: number;
  };
  readonly leaderElection?: {
    readonly leaderElect?: boolean;
    readonly resourceName?: string;
    readonly resourceNamespace?: string;
    readonly leaseDuration?: string;
    readonly renewDeadline?: string;
    readonly retryPeriod?: string;
  };
}

async function schedule(values: SchedulerFlags, io: SchedulerIo): Promise<void> {
  const version = versionText(values.version);
  if (version !== undefined) return void io.out.write(version);
  const log = (text: string) => void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
  const config: ProgramConfiguration | undefined = values.config
    ? readConfiguration(values.config)
    : undefined;
  profilesOf(config);
  const features = featureGates(values.featureGates, log);
  const { qps = values.kubeApiQps, burst = values.kubeApiBurst } = config?.clientConnection ?? {};
  const resolved = resolveKubeconfig(
    kubeconfigOf(values, config, io),
    values.master ? { clusterInfo: { server: values.master } } : {},
  );
  const metrics = new Metrics();
  const transport = transportOf(resolved);
  const client = createClient({
    transport,
    metrics: new RestMetrics(metrics, transport.address),
    userAgent: 'kube-scheduler/coxswain',
    ...(qps > 0 ? { rateLimiter: new TokenBucket(systemClock, qps, burst) } : {}),
  });
  const onError = (error: unknown) => log(error instanceof Error ? error.message : String(error));
  let isSynced = false;
  let pods: () => readonly Pod[] = () => [];
  const counts = { metrics, resources: podResourceMetrics(() => pods()) };
  const lead = async (signal: AbortSignal) => {
    const running = startScheduler({
      client,
      signal,
      metrics,
      onError,
      isFeatureOn: features.enabled,
      ...(config === undefined ? {} : { config }),
    });
    pods = running.pods;
    await running.synced;
    isSynced = true;
    log('scheduling');
    await running.stopped;
  };
  const elects = config?.leaderElection?.leaderElect ?? values.leaderElect;
  const election = electionOf(values, config);
  const health = elects ? leaderHealth(election, systemClock) : undefined;
  const port = await servePort(
    values,
    config,
    io,
    { isSynced: () => isSynced, health, features },
    counts,
    log,
  );
  try {
    await (health
      ? runElected({ ...election, client, health, signal: io.signal, lead, metrics, log })
      : lead(io.signal));
  } finally {
    await port?.close();
    await client.close();
  }
}

/** Health, metrics and configuration; loaded only where they are served. */
async function servePort(
  values: SchedulerFlags,
  config: ProgramConfiguration | undefined,
  { env, signal }: SchedulerIo,
  {
    isSynced,
    health,
    features,
  }: {
    readonly isSynced: () => boolean;
    /** Where it stands for election. */
    readonly health: LeaderHealth | undefined;
    readonly features: FeatureGates;
  },
  { metrics, resources }: { readonly metrics: Metrics; readonly resources: Metrics },
  log: (text: string) => void,
): Promise<ComponentServer | undefined> {
  if (values.securePort === 0) return undefined;
  const { serveProgram } = await import('@coxswain/apiserver/component/serve-program.ts');
  const { flagTexts } = await import('@coxswain/apiserver/component/flag-texts.ts');
  const ping: HealthCheck = { name: 'ping', check: () => undefined };
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check: () => (signal.aborted ? 'process is shutting down' : undefined),
  };
  const synced: HealthCheck = {
    name: 'sched-handler-sync',
    check: () => (isSynced() ? undefined : 'handlers are not fully synchronized'),
  };
  return serveProgram(values, env, {
    name: 'kube-scheduler',
    checks: {
      '/healthz': () => [health?.check ?? ping],
      '/livez': () => [ping],
      '/readyz': () => [...(health ? [health.check] : []), shutdown, synced],
    },
    features,
    configuration: () => ({
      componentconfig: {
        kind: 'KubeSchedulerConfiguration',
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        ...config,
      },
    }),
    flags: flagTexts(allFlags, values),
    metrics,
    expositions: { '/metrics/resources': resources },
    offersProfiles: values.profiling,
    log,
  });
}

function readConfiguration(file: string): ProgramConfiguration {
  return checkConfiguration(readYaml(readFileSync(file, 'utf8')));
}

function kubeconfigOf(
  values: SchedulerFlags,
  config: ProgramConfiguration | undefined,
  io: SchedulerIo,
): Kubeconfig {
  const file = config?.clientConnection?.kubeconfig || values.kubeconfig;
  if (file) return loadKubeconfig({ file, env: io.env });
  return inClusterKubeconfig(io.env) ?? {};
}

/** The file goes before the flags. */
function electionOf(values: SchedulerFlags, config: ProgramConfiguration | undefined) {
  const { resourceName, resourceNamespace, leaseDuration, renewDeadline, retryPeriod } =
    config?.leaderElection ?? {};
  const msOf = (text: string | undefined, otherwiseMs: number) =>
    text === undefined ? otherwiseMs : parseDurationMs(text);
  return {
    name: resourceName ?? values.leaderElectResourceName,
    namespace: resourceNamespace ?? values.leaderElectResourceNamespace,
    leaseDurationMs: msOf(leaseDuration, values.leaderElectLeaseDuration),
    renewDeadlineMs: msOf(renewDeadline, values.leaderElectRenewDeadline),
    retryPeriodMs: msOf(retryPeriod, values.leaderElectRetryPeriod),
    component: profilesOf(config)[0]?.schedulerName ?? 'default-scheduler',
  };
}
