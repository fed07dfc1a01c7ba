/** The proxy of this machine with all that belongs to it: rules, health, metrics, tracked connections. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { writeFileSync } from 'node:fs';
import {
  isStatusError,
  systemClock,
  type Clock,
  type KubeObject,
  type StepObserver,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { describeProcess } from '@coxswain/apimachinery/metrics/process-metrics.ts';
import { EventBroadcaster, type InformerFactory, type KubeClient } from '@coxswain/client';
import type { RunNft } from '@coxswain/nftables';
import type { ProxySettings } from './config/proxy-configuration.ts';
import { ConntrackCleaner } from './conntrack/conntrack-cleaner.ts';
import { applyConntrackSettings } from './machine/conntrack-settings.ts';
import {
  machineFamilies,
  nodeIpsOf,
  nodePortIps,
  withBindAddress,
  type NodeIps,
} from './machine/node-addresses.ts';
import { ipFamilies } from './model/service-rule.ts';
import { dryWriter } from './nftables/dry-writer.ts';
import { kernelWriter } from './nftables/kernel-writer.ts';
import type { RuleWriter } from './rule-writer.ts';
import { ProxyHealth } from './serving/proxy-health.ts';
import { ProxyMetrics } from './serving/proxy-metrics.ts';
import { anyAddress, ServiceHealth, type ServiceHealthOptions } from './serving/service-health.ts';
import { serveProxyPages } from './serving/serve-proxy-pages.ts';
import { startKubeProxy, type RunningKubeProxy } from './start-kube-proxy.ts';
import { tableOptionsOf } from './table-options-of.ts';

export interface NodeProxyOptions {
  readonly client: KubeClient;
  readonly settings: ProxySettings;
  readonly nodeName: string;
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
  /** What is known of the node; it is asked for, and waited for, if unset. */
  readonly node?: KnownNode;
  /** Shared with other components of the process. */
  readonly informers?: InformerFactory;
  readonly observer?: StepObserver | undefined;
  readonly clock?: Clock;
  /** Where rules go that are not loaded. */
  readonly print?: (text: string) => void;
  /** In place of `nft`. */
  readonly run?: RunNft;
  /** Whether this is the process of its own that the settings of processes are for. */
  readonly isProgram?: boolean;
}

export interface KnownNode {
  readonly ips: NodeIps;
  readonly podCidrs: readonly string[];
}

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
/** As long as the original waits for a node to be registered with its addresses. */
const nodeWaitMsMax = 30_000;
const podCidrWaitMsMax = 300_000;
const nodeLookMs = 1_000;

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
  const writer = await writerOf();
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

  async function writerOf(): Promise<RuleWriter> {
    if (options.print !== undefined)
      return dryWriter(options.print, (family) => tableOptionsOf(settings, known, family));
    if (settings.mode === 'userspace') {
      const { userspaceWriter } = await import('./userspace/userspace-writer.ts');
      return userspaceWriter({ signal, log });
    }
    return kernelWriter({
      tables: families.map((family) => tableOptionsOf(settings, known, family)),
      ...(options.run === undefined ? {} : { run: options.run }),
      clock,
      observer: options.observer,
      events: {
        synced: (family, isFull, seconds) => counts.synced(family, isFull, seconds, clock.now()),
        syncFailed(family, error) {
          counts.syncFailed(family);
          report(error);
        },
        cleanupFailed(family, error) {
          counts.cleanupFailed(family);
          report(error);
        },
      },
      conntrack: new ConntrackCleaner({
        onError: report,
        clock,
        cleaned: (family, flows, seconds) => counts.flowsReconciled(family, flows, seconds),
      }),
    });
  }
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

interface SeenNode extends KubeObject {
  readonly spec?: { readonly podCIDR?: string; readonly podCIDRs?: readonly string[] };
}

const knownOf = (node: SeenNode | undefined, { bindAddress }: ProxySettings): KnownNode => ({
  ips: withBindAddress(nodeIpsOf(node), bindAddress),
  podCidrs: podCidrsOf(node),
});

const podCidrsOf = (node: SeenNode | undefined): readonly string[] =>
  node?.spec?.podCIDRs ?? (node?.spec?.podCIDR === undefined ? [] : [node.spec.podCIDR]);

/** Without the node nothing is known but what was configured: after a while the proxy works nevertheless. */
async function waitForNode(
  { client, nodeName, settings, signal, log }: NodeProxyOptions,
  clock: Clock,
): Promise<SeenNode | undefined> {
  const needsRange = settings.detectLocalMode === 'NodeCIDR';
  const untilMs = clock.monotonic() + (needsRange ? podCidrWaitMsMax : nodeWaitMsMax);
  for (;;) {
    const node = await findNode(client, nodeName, signal, log);
    const isKnown = Object.keys(nodeIpsOf(node)).length > 0 && (!needsRange || podCidrsOf(node).length > 0);
    if (isKnown || signal.aborted || settings.mode === 'userspace') return node;
    if (clock.monotonic() >= untilMs) {
      if (needsRange)
        throw new Error(
          node === undefined
            ? `timeout waiting for node "${nodeName}" to exist`
            : `timeout waiting for PodCIDR allocation on node "${nodeName}"`,
        );
      log(`node "${nodeName}" has no addresses yet; continuing without them`);
      return node;
    }
    await clock.sleep(nodeLookMs, signal).catch(() => {});
  }
}

async function findNode(
  client: KubeClient,
  nodeName: string,
  signal: AbortSignal,
  log: (text: string) => void,
): Promise<SeenNode | undefined> {
  try {
    return (await client.resource(nodes).get(nodeName, { signal })) as SeenNode;
  } catch (error) {
    if (!isStatusError(error, 'NotFound') && !signal.aborted) log(`node "${nodeName}": ${messageOf(error)}`);
    return undefined;
  }
}
