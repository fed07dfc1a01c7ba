import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { EndpointSliceObject } from '../model/plan-services.ts';
import type { IpFamily, PlanChanges } from '../model/service-rule.ts';
import { ChangeTriggers, MissingLocalEndpoints } from './rule-counts.ts';

const evenBounds = (from: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => from + place * step);

/** In seconds, up to five minutes. */
const programmingBounds = [
  ...evenBounds(0.25, 0.25, 2),
  ...evenBounds(1, 1, 59),
  ...evenBounds(60, 5, 12),
  ...evenBounds(120, 30, 7),
];
const syncBounds = growingBounds(0.001, 2, 15);

/** Upstream's metrics with upstream's names. */
export class ProxyMetrics {
  readonly #metrics: Metrics;
  readonly #triggers: ChangeTriggers;
  readonly #missing = new MissingLocalEndpoints();
  readonly #changes: Readonly<Record<'service' | 'endpoint', ChangeCounts>>;

  constructor(metrics: Metrics, startMs: number, families: readonly IpFamily[]) {
    this.#metrics = metrics;
    this.#triggers = new ChangeTriggers(startMs);
    this.#changes = {
      service: changeCounts(metrics, 'service'),
      endpoint: changeCounts(metrics, 'endpoint'),
    };
    for (const family of families)
      for (const policy of ['internal', 'external'] as const)
        metrics.reading(
          'gauge',
          'kubeproxy_sync_proxy_rules_no_local_endpoints_total',
          'Service ports with a policy that wants endpoints on this node, which has none.',
          { traffic_policy: policy, ip_family: family },
          () => this.#missing.count(policy, family),
        );
  }

  serviceChanged(): void {
    this.#changes.service.note();
  }

  endpointsChanged(slice?: EndpointSliceObject): void {
    this.#changes.endpoint.note();
    if (slice !== undefined) this.#triggers.add(slice);
  }

  /** All changes so far are in effect. */
  written(changes: PlanChanges, families: readonly IpFamily[], nowMs: number): void {
    this.#changes.service.settle();
    this.#changes.endpoint.settle();
    this.#missing.set(changes);
    for (const family of families)
      for (const atMs of this.#triggers.take(family))
        this.#metrics
          .histogram(
            'kubeproxy_network_programming_duration_seconds',
            'Time from the change of endpoints until the rules show it, in seconds.',
            programmingBounds,
            { ip_family: family },
          )
          .observe((nowMs - atMs) / 1000);
  }

  queued(family: IpFamily, nowMs: number): void {
    this.#gauge(
      'last_queued_timestamp_seconds',
      'Time at which a sync of the rules was last queued.',
      family,
    ).set(nowMs / 1000);
  }

  synced(family: IpFamily, isFull: boolean, seconds: number, nowMs: number): void {
    const help = 'Seconds that writing the rules took';
    this.#histogram('sync_proxy_rules', `${help}.`, family).observe(seconds);
    this.#histogram(
      isFull ? 'sync_full_proxy_rules' : 'sync_partial_proxy_rules',
      `${help}, when ${isFull ? 'all' : 'only changed'} ones were written.`,
      family,
    ).observe(seconds);
    this.#gauge('last_timestamp_seconds', 'Time of the last successful sync of the rules.', family).set(
      nowMs / 1000,
    );
  }

  syncFailed(family: IpFamily): void {
    this.#counter(
      'sync_proxy_rules_nftables_sync_failures_total',
      'Failed nftables transactions.',
      family,
    ).add();
  }

  cleanupFailed(family: IpFamily): void {
    this.#counter(
      'sync_proxy_rules_nftables_cleanup_failures_total',
      'Failed cleanups of stale chains.',
      family,
    ).add();
  }

  flowsReconciled(family: IpFamily, count: number, seconds: number): void {
    this.#histogram(
      'conntrack_reconciler_sync',
      'Latency of the reconciliation of conntrack entries in seconds.',
      family,
    ).observe(seconds);
    this.#counter('conntrack_reconciler_deleted_entries_total', 'Conntrack entries deleted.', family).add(
      count,
    );
  }

  probed(kind: 'healthz' | 'livez', code: number): void {
    this.#metrics
      .counter(`kubeproxy_proxy_${kind}_total`, `Answers of /${kind}, by status.`, { code: String(code) })
      .add();
  }

  #gauge(name: string, help: string, family: IpFamily) {
    return this.#metrics.gauge(`kubeproxy_sync_proxy_rules_${name}`, help, { ip_family: family });
  }

  #counter(name: string, help: string, family: IpFamily) {
    return this.#metrics.counter(`kubeproxy_${name}`, help, { ip_family: family });
  }

  #histogram(name: string, help: string, family: IpFamily) {
    return this.#metrics.histogram(`kubeproxy_${name}_duration_seconds`, help, syncBounds, {
      ip_family: family,
    });
  }
}

interface ChangeCounts {
  note(): void;
  settle(): void;
}

function changeCounts(metrics: Metrics, what: 'service' | 'endpoint'): ChangeCounts {
  const name = `kubeproxy_sync_proxy_rules_${what}_changes`;
  const total = metrics.counter(`${name}_total`, `Changes of ${what}s that were seen.`);
  const pending = metrics.gauge(`${name}_pending`, `Changes of ${what}s that the rules do not show yet.`);
  let pendingCount = 0;
  pending.set(0);
  return {
    note() {
      total.add();
      pending.set(++pendingCount);
    },
    settle() {
      pendingCount = 0;
      pending.set(0);
    },
  };
}
