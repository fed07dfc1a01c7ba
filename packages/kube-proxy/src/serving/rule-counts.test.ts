import { expect, test } from 'vitest';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { planService, type EndpointSliceObject } from '../model/plan-services.ts';
import { endpoint, service, slice } from '../../test/objects.ts';
import { ProxyMetrics } from './proxy-metrics.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const families = ['IPv4'] as const;

const proxyMetrics = () => {
  const metrics = new Metrics();
  return { counts: new ProxyMetrics(metrics, startMs, families), text: () => metrics.exposition() };
};

const planned = (spec: object, nodeName: string) => {
  const of = service('web', spec);
  return new Map([
    ['default/web', planService(of, [slice('web', [endpoint('10.1.0.1', { nodeName })])], { name: 'here' })],
  ]);
};

test('a port whose policy wants endpoints of this node is counted while only other nodes have any', () => {
  const { counts, text } = proxyMetrics();
  const gauge = (policy: string) =>
    `kubeproxy_sync_proxy_rules_no_local_endpoints_total{ip_family="IPv4",traffic_policy="${policy}"}`;
  counts.written(planned({ internalTrafficPolicy: 'Local' }, 'there'), families, startMs);
  expect(text()).toContain(`${gauge('internal')} 1\n`);
  expect(text()).toContain(`${gauge('external')} 0\n`);

  counts.written(planned({ internalTrafficPolicy: 'Local' }, 'here'), families, startMs);
  expect(text()).toContain(`${gauge('internal')} 0\n`);

  const ports = [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30_080 }];
  counts.written(
    planned({ type: 'NodePort', externalTrafficPolicy: 'Local', ports }, 'there'),
    families,
    startMs,
  );
  expect(text()).toContain(`${gauge('external')} 1\n`);

  counts.written(new Map([['default/web', undefined]]), families, startMs);
  expect(text()).toContain(`${gauge('external')} 0\n`);
});

const changedAt = (time: string): EndpointSliceObject => {
  const one = slice('web', []);
  const annotations = { 'endpoints.kubernetes.io/last-change-trigger-time': time };
  return { ...one, metadata: { ...one.metadata, annotations } };
};

test('changes are pending until they are written, and how long that took is told from what made them', () => {
  const { counts, text } = proxyMetrics();
  counts.endpointsChanged(changedAt('2026-01-01T00:00:01.5Z'));
  // From before this proxy.
  counts.endpointsChanged(changedAt('2025-12-31T23:59:59Z'));
  counts.serviceChanged();
  expect(text()).toContain('kubeproxy_sync_proxy_rules_endpoint_changes_pending 2\n');
  expect(text()).toContain('kubeproxy_sync_proxy_rules_service_changes_pending 1\n');

  counts.written(new Map(), families, startMs + 3_000);
  expect(text()).toContain('kubeproxy_sync_proxy_rules_endpoint_changes_pending 0\n');
  expect(text()).toContain('kubeproxy_sync_proxy_rules_endpoint_changes_total 2\n');
  expect(text()).toContain('kubeproxy_network_programming_duration_seconds_sum{ip_family="IPv4"} 1.5\n');
  expect(text()).toContain('kubeproxy_network_programming_duration_seconds_count{ip_family="IPv4"} 1\n');
});
