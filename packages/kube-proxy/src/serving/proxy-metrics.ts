import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { IpFamily } from '../model/service-rule.ts';

const syncBounds = growingBounds(0.001, 2, 15);

/** What the original counts, under its names. */
export class ProxyMetrics {
  readonly serviceChanges;
  readonly endpointChanges;
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.serviceChanges = metrics.counter(
      'kubeproxy_sync_proxy_rules_service_changes_total',
      'Changes of services that were seen.',
    );
    this.endpointChanges = metrics.counter(
      'kubeproxy_sync_proxy_rules_endpoint_changes_total',
      'Changes of endpoints that were seen.',
    );
  }

  queued(family: IpFamily, nowMs: number): void {
    this.#gauge('last_queued_timestamp_seconds', 'When writing was last asked for.', family).set(
      nowMs / 1000,
    );
  }

  synced(family: IpFamily, isFull: boolean, seconds: number, nowMs: number): void {
    const help = 'Seconds that writing the rules took';
    this.#histogram('sync_proxy_rules', `${help}.`, family).observe(seconds);
    this.#histogram(
      isFull ? 'sync_full_proxy_rules' : 'sync_partial_proxy_rules',
      `${help}, when ${isFull ? 'all' : 'only changed'} ones were written.`,
      family,
    ).observe(seconds);
    this.#gauge('last_timestamp_seconds', 'When the rules were last written.', family).set(nowMs / 1000);
  }

  syncFailed(family: IpFamily): void {
    this.#counter('sync_proxy_rules_nftables_sync_failures_total', 'Transactions that failed.', family).add();
  }

  cleanupFailed(family: IpFamily): void {
    this.#counter(
      'sync_proxy_rules_nftables_cleanup_failures_total',
      'Deletions of old chains that failed.',
      family,
    ).add();
  }

  flowsDeleted(family: IpFamily, count: number): void {
    this.#counter(
      'conntrack_reconciler_deleted_entries_total',
      'Tracked flows that were forgotten.',
      family,
    ).add(count);
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
