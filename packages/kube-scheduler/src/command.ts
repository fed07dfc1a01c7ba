/** The `kube-scheduler` program: flags and configuration → connection → leader election → scheduling. */

import { writeFileSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { statedFeatures } from '@coxswain/component-base/features/stated-features.ts';
import { leaderHealth, type LeaderHealth } from '@coxswain/component-base/leader-election/leader-health.ts';
import { versionText } from '@coxswain/component-base/version-flag.ts';
import { runElected } from '@coxswain/component-base/leader-election/elected-program.ts';
import type { ComponentServer } from '@coxswain/apiserver/component/component-server.ts';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import { parseDurationMs, systemClock } from '@coxswain/apimachinery';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { RestMetrics } from '@coxswain/client/rest/rest-metrics.ts';
import { createClient, resolveKubeconfig, TokenBucket, type Kubeconfig } from '@coxswain/client';
import { inClusterKubeconfig, loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { command, noArgs, runProgram, sectionedStyle, type CommandIo } from '@coxswain/cobra';
import { configurationDocument } from './config/configuration-document.ts';
import type { SchedulerConfiguration } from './config/configuration.ts';
import { programConfiguration, type IsChanged } from './config/program-configuration.ts';
import { checkUsable } from './usable-configuration.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podResourceMetrics } from './metrics/pod-resources.ts';
import { effectiveFlags, type SchedulerFlags } from './flags.ts';
import { ineffectiveFlags } from './ineffective-flags.ts';
import { startScheduler } from './start-scheduler.ts';

export interface SchedulerIo extends CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program should stop. */
  readonly signal: AbortSignal;
}

const allFlags = { ...ineffectiveFlags, ...effectiveFlags };

/** Resolves with the exit status. */
export function runKubeScheduler(args: readonly string[], io: SchedulerIo): Promise<number> {
  const root = command({
    use: 'kube-scheduler',
    short: 'Assign pods to nodes',
    long: 'The Kubernetes scheduler finds the best node for each pod that has none and binds the pod to it.',
    args: noArgs,
    flags: allFlags,
    style: sectionedStyle,
    run: ({ flags, changed }) =>
      schedule(flags as unknown as SchedulerFlags, (flag) => changed(flag as never), io),
  });
  return runProgram(root, args, io, undefined);
}

async function schedule(values: SchedulerFlags, isChanged: IsChanged, io: SchedulerIo): Promise<void> {
  const version = versionText(values.version);
  if (version !== undefined) return void io.out.write(version);
  const log = (text: string) => void io.err.write(`${new Date(systemClock.now()).toISOString()} ${text}\n`);
  const features = statedFeatures(values, log);
  const config = programConfiguration(values, isChanged, features.enabled);
  await checkUsable(config, features.enabled);
  if (values.writeConfigTo) {
    writeFileSync(values.writeConfigTo, writeYaml(configurationDocument(config)));
    return log(`Wrote configuration to ${values.writeConfigTo}`);
  }
  const { qps, burst } = config.clientConnection;
  const resolved = resolveKubeconfig(
    kubeconfigOf(config, io),
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
  const onError = (error: unknown) => log(messageOf(error));
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
      config,
      restingMsMax: values.podMaxInUnschedulablePodsDuration,
    });
    pods = running.pods;
    await running.synced;
    isSynced = true;
    log('scheduling');
    await running.stopped;
  };
  const elects = config.leaderElection.leaderElect ?? true;
  const election = electionOf(config);
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

/** Serves health, metrics and configuration; loaded only if they are served. */
async function servePort(
  values: SchedulerFlags,
  config: SchedulerConfiguration,
  { env, signal }: SchedulerIo,
  {
    isSynced,
    health,
    features,
  }: {
    readonly isSynced: () => boolean;
    /** Set if it takes part in leader election. */
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
    configuration: () => ({ componentconfig: configurationDocument(config) }),
    flags: flagTexts(allFlags, values),
    metrics,
    expositions: { '/metrics/resources': resources },
    offersProfiles: config.enableProfiling ?? true,
    log,
  });
}

function kubeconfigOf({ clientConnection }: SchedulerConfiguration, io: SchedulerIo): Kubeconfig {
  const file = clientConnection.kubeconfig;
  if (file) return loadKubeconfig({ file, env: io.env });
  return inClusterKubeconfig(io.env) ?? {};
}

function electionOf({ leaderElection, profiles = [] }: SchedulerConfiguration) {
  const { resourceName, resourceNamespace, leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  return {
    name: resourceName,
    namespace: resourceNamespace,
    leaseDurationMs: parseDurationMs(leaseDuration ?? '15s'),
    renewDeadlineMs: parseDurationMs(renewDeadline ?? '10s'),
    retryPeriodMs: parseDurationMs(retryPeriod ?? '2s'),
    component: profiles[0]?.schedulerName ?? 'default-scheduler',
  };
}
