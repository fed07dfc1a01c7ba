/** The proxy of this machine with all that belongs to it: rules, health, metrics, tracked connections. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { writeFileSync } from 'node:fs';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { describeProcess } from '@coxswain/apimachinery/metrics/process-metrics.ts';
import { EventBroadcaster } from '@coxswain/client';
import type { ProxySettings } from './config/proxy-configuration.ts';
import { applyConntrackSettings } from './machine/conntrack-settings.ts';
import { machineFamilies, nodePortIps } from './machine/node-addresses.ts';
import { ipFamilies } from './model/service-rule.ts';
import { knownOf, waitForNode } from './known-node.ts';
import type { NodeProxyOptions } from './node-proxy-options.ts';
import { ruleWriterOf } from './rule-writer-of.ts';
import { ProxyHealth } from './serving/proxy-health.ts';
import { ProxyMetrics } from './serving/proxy-metrics.ts';
import { anyAddress, ServiceHealth, type ServiceHealthOptions } from './serving/service-health.ts';
import { serveProxyPages } from './serving/serve-proxy-pages.ts';
import { startKubeProxy, type RunningKubeProxy } from './start-kube-proxy.ts';

/** @throws Error when a port is taken and the settings want to end then, or the node has no range that they need */
export async function runNodeProxy(options: NodeProxyOptions): Promise<RunningKubeProxy> {
  const { client, settings, nodeName, signal, log, clock = systemClock } = options;
  const report = (error: unknown) => log(messageOf(error));
  const isDry = options.print !== undefined;
  const known = options.node ?? knownOf(isDry ? undefined : await waitForNode(options, clock), settings);
  const families = isDry ? ipFamilies : machineFamilies();
  const health = new ProxyHealth(clock, 2 * settings.nftables.syncPeriod, families);
  const metrics = new Metrics();
  const counts = new ProxyMetrics(metrics, clock.now(), families);
  const events = new EventBroadcaster({ client, clock, signal, onError: report });
  const recorder = events.recorder('kube-proxy', nodeName);
  const reportClosedPort: ServiceHealthOptions['onError'] = (service, port, error) => {
    const [namespace = '', name = ''] = service.split('/');
    const reason = messageOf(error);
    const message = `node ${nodeName} failed to start healthcheck "${service}" on port ${port}: ${reason}`;
    recorder.event(
      { apiVersion: 'v1', kind: 'Service', namespace, name },
      'Warning',
      'FailedToStartServiceHealthcheck',
      message,
    );
    log(message);
  };
  const serviceHealth = families.map(
    (family) =>
      new ServiceHealth({
        hosts: nodePortIps(settings.nodePortAddresses, family, known.ips) ?? [anyAddress[family]],
        isProxyHealthy: () => health.isHealthy,
        onError: reportClosedPort,
      }),
  );
  const writer = await ruleWriterOf(options, { known, families, counts, clock, report });
  const closePages = isDry
    ? () => {}
    : await serveProxyPages({ settings, health, metrics, counts, signal, clock, log });
  if (options.isProgram !== false && !isDry) adjustProcess(settings, metrics, report);

  if (!isDry) recorder.event({ apiVersion: 'v1', kind: 'Node', name: nodeName }, 'Normal', 'Starting', '');
  const running = startKubeProxy({
    client,
    writer,
    nodeName,
    signal,
    clock,
    observer: options.observer,
    ...(options.informers === undefined ? {} : { informers: options.informers }),
    syncPeriodMinMs: settings.nftables.minSyncPeriod,
    syncPeriodMs: settings.nftables.syncPeriod,
    onError: report,
    events: {
      serviceChanged: () => counts.serviceChanged(),
      endpointsChanged: (slice) => counts.endpointsChanged(slice),
      queued() {
        health.queued();
        for (const family of families) counts.queued(family, clock.now());
      },
      written(changes) {
        for (const family of families) health.updated(family);
        counts.written(changes, families, clock.now());
        if (!isDry) for (const each of serviceHealth) detach(each.set(changes));
      },
      node: (found) => health.setNode(found),
    },
  });
  const stopped = running.stopped.then(async () => {
    closePages();
    await Promise.all(serviceHealth.map((each) => each.close()));
  });
  return { synced: running.synced, stopped };
}

/** What the original does to its process and the kernel's tables when it starts. */
function adjustProcess(settings: ProxySettings, metrics: Metrics, report: (error: unknown) => void): void {
  describeProcess(metrics);
  const adjustments = {
    'oom-score-adj': () => writeFileSync('/proc/self/oom_score_adj', String(settings.oomScoreAdj)),
    conntrack: () => settings.mode !== 'userspace' && applyConntrackSettings(settings.conntrack),
  };
  for (const [what, adjust] of Object.entries(adjustments))
    try {
      adjust();
    } catch (error) {
      report(new Error(`${what}: ${messageOf(error)}`, { cause: error }));
    }
}
