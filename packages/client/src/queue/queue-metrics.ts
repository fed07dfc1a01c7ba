/** Metrics of a work queue: its length, and how long keys wait and take to process. */
import type { Clock } from '@coxswain/apimachinery';
import type { QueueWatcher } from './work-queue.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** From ten nanoseconds to ten seconds, in seconds. */
const durationBounds: readonly number[] = [
  1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 0.001, 0.01, 0.1, 1, 10,
];

/** @param name the name of the queue; queues with the same name are counted together */
export function queueWatcher(name: string, metrics: Metrics, clock: Clock): QueueWatcher {
  const labels = { name };
  const adds = metrics.counter('workqueue_adds_total', 'Keys added to the queue.', labels);
  const depth = metrics.gauge('workqueue_depth', 'Keys waiting in the queue.', labels);
  const retries = metrics.counter('workqueue_retries_total', 'Keys queued again after a failure.', labels);
  const waited = metrics.histogram(
    'workqueue_queue_duration_seconds',
    'Time that keys wait in the queue, in seconds.',
    durationBounds,
    labels,
  );
  const worked = metrics.histogram(
    'workqueue_work_duration_seconds',
    'Time that processing a key takes, in seconds.',
    durationBounds,
    labels,
  );
  const addedAtMs = new Map<string, number>();
  const begunAtMs = new Map<string, number>();
  const agesSeconds = () => [...begunAtMs.values()].map((atMs) => (clock.monotonic() - atMs) / 1000);
  const reading = (metric: string, help: string, read: (ages: readonly number[]) => number) =>
    metrics.reading('gauge', metric, help, labels, () => read(agesSeconds()));
  reading('workqueue_unfinished_work_seconds', 'How long what is under way takes so far, in all.', (ages) =>
    ages.reduce((sum, age) => sum + age, 0),
  );
  reading(
    'workqueue_longest_running_processor_seconds',
    'How long what is under way takes so far, at most.',
    (ages) => Math.max(0, ...ages),
  );
  return {
    added(key) {
      adds.add();
      depth.add(1);
      addedAtMs.set(key, clock.monotonic());
    },
    begun(key) {
      depth.add(-1);
      const nowMs = clock.monotonic();
      waited.observe((nowMs - (addedAtMs.get(key) ?? nowMs)) / 1000);
      addedAtMs.delete(key);
      begunAtMs.set(key, nowMs);
    },
    done(key) {
      const atMs = begunAtMs.get(key);
      if (atMs !== undefined) worked.observe((clock.monotonic() - atMs) / 1000);
      begunAtMs.delete(key);
    },
    retried: () => retries.add(),
  };
}
