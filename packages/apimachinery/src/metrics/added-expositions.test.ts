import { expect, test } from 'vitest';
import { atOnce } from '../work-in-steps.ts';
import { addedExpositions } from './added-expositions.ts';
import { Metrics } from './metrics.ts';

const added = (texts: readonly string[]): string => atOnce(addedExpositions(texts));

function counted(requests: number, more: (metrics: Metrics) => void = () => undefined): string {
  const metrics = new Metrics({ describesItself: false });
  metrics.counter('requests_total', 'Requests.', { verb: 'GET' }).add(requests);
  metrics.histogram('lasted', 'How long.', [1, 2], {}).observe(requests);
  metrics.gauge('open', 'Open ones.').set(requests);
  metrics.gauge('since_timestamp_seconds', 'Since when.').set(requests);
  more(metrics);
  return metrics.exposition();
}

test('counters, histograms and numbers of things add up; of times the last one counts', () => {
  expect(
    added([counted(1), counted(2)])
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  ).toEqual([
    'lasted_bucket{le="1"} 1',
    'lasted_bucket{le="2"} 2',
    'lasted_bucket{le="+Inf"} 2',
    'lasted_sum 3',
    'lasted_count 2',
    'open 3',
    'requests_total{verb="GET"} 3',
    'since_timestamp_seconds 2',
    '',
  ]);
});

test('metrics of a single thread are included, each metric once', () => {
  const text = added([counted(1), counted(1, (metrics) => metrics.gauge('another', 'One.').set(7))]);

  expect(text).toContain('another 7\n');
  expect(text.match(/^# TYPE requests_total counter$/gm)).toHaveLength(1);
});

test('of one there is nothing to add', () => {
  const text = counted(5);
  expect(added([text])).toBe(text);
});

test('long ones are added in steps', () => {
  const many = counted(1, (metrics) => {
    for (let at = 0; at < 2_000; at++) metrics.counter('many_total', 'Many.', { at: String(at) }).add();
  });
  const steps = addedExpositions([many, many]);
  let count = 1;
  while (steps.next().done !== true) count++;

  expect(count).toBeGreaterThan(15);
});
