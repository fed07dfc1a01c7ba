import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { TurnWatch } from './turn-watch.ts';

async function played(...steps: readonly (readonly [step: string, ms: number])[]) {
  const clock = new ManualClock();
  const metrics = new Metrics();
  const lines: string[] = [];
  let end = (): void => undefined;
  const watch = new TurnWatch(
    clock,
    metrics,
    (line) => lines.push(line),
    (callback) => (end = callback),
  );
  for (const [step, ms] of steps) {
    watch.note(step);
    await clock.advance(ms);
  }
  end();
  return { lines, metrics: metrics.exposition() };
}

test('a turn that takes long is told of with what took longest in it', async () => {
  const { lines, metrics } = await played(['get pods', 2], ['post configmaps', 70], ['get nodes', 5]);

  expect(lines).toEqual(['a turn of the event loop took 77 ms, 70 of them post configmaps']);
  expect(metrics).toContain('coxswain_apiserver_long_turns_total{step="post configmaps"} 1');
});

test('a turn within the bound is not told of', async () => {
  const { lines, metrics } = await played(['get pods', 20], ['post configmaps', 30]);

  expect(lines).toEqual([]);
  expect(metrics).not.toContain('long_turns');
});
