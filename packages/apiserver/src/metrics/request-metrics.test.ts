import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

const linesOf = (metrics: Metrics, name: string): string[] =>
  metrics
    .exposition()
    .split('\n')
    .filter((line) => line.startsWith(name));

test('a request is counted by verb, scope and dry run', async () => {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  const path = '/api/v1/namespaces/default/configmaps';
  await api.request('POST', `${path}?dryRun=All`, { metadata: { name: 'a' } });
  await api.request('GET', path);
  await api.request('GET', '/api/v1/configmaps');
  await api.watchLines(
    `${path}?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    1,
  );
  const labels = 'group="",resource="configmaps"';
  expect(linesOf(api.services.metrics, 'apiserver_request_total')).toEqual([
    `apiserver_request_total{code="201",component="apiserver",dry_run="All",${labels},scope="resource",subresource="",verb="POST",version="v1"} 1`,
    `apiserver_request_total{code="200",component="apiserver",dry_run="",${labels},scope="namespace",subresource="",verb="LIST",version="v1"} 1`,
    `apiserver_request_total{code="200",component="apiserver",dry_run="",${labels},scope="cluster",subresource="",verb="LIST",version="v1"} 1`,
    `apiserver_request_total{code="200",component="apiserver",dry_run="",${labels},scope="namespace",subresource="",verb="WATCH",version="v1"} 1`,
  ]);
  expect(linesOf(api.services.metrics, 'apiserver_longrunning_requests')[0]).toMatch(/ 0$/);
});
