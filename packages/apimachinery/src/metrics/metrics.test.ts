import { expect, test } from 'vitest';
import { labelKey } from './metric-settings.ts';
import { Metrics } from './metrics.ts';

const linesOf = (metrics: Metrics, name: string): string[] =>
  metrics
    .exposition()
    .split('\n')
    .filter((line) => line.startsWith(name));

test("the help text contains a metric's stability", () => {
  const metrics = new Metrics();
  metrics.counter('apiserver_request_total', 'Requests.').add();
  metrics.gauge('apiserver_storage_objects', 'Objects.').set(1);
  expect(linesOf(metrics, '# HELP apiserver_')).toEqual([
    '# HELP apiserver_request_total [STABLE] Requests.',
    '# HELP apiserver_storage_objects [STABLE] (Deprecated since 1.34.0) Objects.',
  ]);
});

test('a disabled metric is counted but not written', () => {
  const metrics = new Metrics({ settings: { disabled: new Set(['a_total']), allowedValues: new Map() } });
  metrics.counter('a_total', '').add();
  expect(linesOf(metrics, 'a_total')).toEqual([]);
  expect(linesOf(metrics, 'disabled_metrics_total')).toEqual(['disabled_metrics_total 1']);
});

test('a disallowed label value becomes unexpected', () => {
  const allowedValues = new Map([[labelKey('a_total', 'who'), new Set(['alice'])]]);
  const metrics = new Metrics({ settings: { disabled: new Set(), allowedValues } });
  for (const who of ['alice', 'bob', 'carol']) metrics.counter('a_total', '', { who }).add();
  expect(linesOf(metrics, 'a_total')).toEqual(['a_total{who="alice"} 1', 'a_total{who="unexpected"} 2']);
});

test('numbers and buckets are written as Go writes them', () => {
  const metrics = new Metrics();
  metrics.histogram('size', '', [1e5, 1e6]).observe(2_000_000);
  metrics.gauge('small', '').set(0.00001);
  expect(linesOf(metrics, 'size_')).toEqual([
    'size_bucket{le="100000"} 0',
    'size_bucket{le="1e+06"} 0',
    'size_bucket{le="+Inf"} 1',
    'size_sum 2e+06',
    'size_count 1',
  ]);
  expect(linesOf(metrics, 'small')).toEqual(['small 1e-05']);
});

test('a reset clears counters, but not gauges', () => {
  const metrics = new Metrics();
  const counter = metrics.counter('a_total', '');
  const histogram = metrics.histogram('b_seconds', '', [1]);
  counter.add(5);
  histogram.observe(2);
  metrics.gauge('c_now', '').set(3);
  metrics.reset();
  counter.add();
  histogram.observe(0.5);
  expect(linesOf(metrics, 'a_total')).toEqual(['a_total 1']);
  expect(linesOf(metrics, 'b_seconds')).toEqual([
    'b_seconds_bucket{le="1"} 1',
    'b_seconds_bucket{le="+Inf"} 1',
    'b_seconds_sum 0.5',
    'b_seconds_count 1',
  ]);
  expect(linesOf(metrics, 'c_now')).toEqual(['c_now 3']);
});

test('an exposition can be written in steps of one series', () => {
  const metrics = new Metrics({ describesItself: false });
  for (const verb of ['get', 'list', 'watch']) metrics.counter('requests_total', '', { verb }).add();
  const steps = metrics.expositionInSteps();

  expect(Array.from({ length: 3 }, () => steps.next().done)).toEqual([false, false, false]);
  expect(steps.next()).toEqual({ done: true, value: metrics.exposition() });
});
