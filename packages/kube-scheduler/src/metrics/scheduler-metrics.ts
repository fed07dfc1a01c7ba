/** The metrics of scheduling, with upstream's names. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Counter, Gauge, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Profile } from '../framework/profile.ts';
import { ProfileMetrics } from './profile-metrics.ts';

/** From a hundredth of a second to more than ninety minutes, in seconds. */
const sliBounds = growingBounds(0.01, 2, 20);
/** From a millisecond to sixteen seconds, in seconds. */
const durationBounds = growingBounds(0.001, 2, 15);
/** Higher numbers of attempts share one label. */
const attemptsReportedMax = 15;

export class SchedulerMetrics {
  readonly #metrics: Metrics;
  readonly #profiles = new Map<string, ProfileMetrics>();
  readonly #attempts: Histogram;
  readonly #preemptions: Counter;
  readonly #victims: Histogram;
  readonly #algorithm: Histogram;
  readonly #bindings: Gauge;
  readonly #incoming = new Map<string, Counter>();

  constructor(metrics: Metrics, profiles: readonly Profile[]) {
    this.#metrics = metrics;
    for (const profile of profiles)
      this.#profiles.set(profile.schedulerName, new ProfileMetrics(metrics, profile));
    this.#attempts = metrics.histogram(
      'scheduler_pod_scheduling_attempts',
      'Number of attempts to schedule a pod.',
      growingBounds(1, 2, 5),
    );
    this.#preemptions = metrics.counter('scheduler_preemption_attempts_total', 'Preemption attempts.');
    this.#victims = metrics.histogram(
      'scheduler_preemption_victims',
      'Number of pods preempted at once.',
      growingBounds(1, 2, 7),
    );
    this.#algorithm = metrics.histogram(
      'scheduler_scheduling_algorithm_duration_seconds',
      'Latency of the scheduling algorithm in seconds.',
      durationBounds,
    );
    this.#bindings = metrics.gauge('scheduler_goroutines', 'Concurrent operations, by kind.', {
      operation: 'binding',
    });
  }

  profile(schedulerName: string): ProfileMetrics | undefined {
    return this.#profiles.get(schedulerName);
  }

  /** Exposes a number that is maintained elsewhere. */
  reading(name: string, help: string, labels: Readonly<Record<string, string>>, read: () => number): void {
    this.#metrics.reading('gauge', `scheduler_${name}`, help, labels, read);
  }

  /** Exposes why pods are pending; read on each scrape. */
  unschedulable(read: () => Iterable<{ readonly plugin: string; readonly profile: string }>): void {
    const help = 'Pods that a plugin refused, and that wait.';
    this.#metrics.samples('gauge', 'scheduler_unschedulable_pods', help, () => {
      const counts = new Map<string, { labels: { plugin: string; profile: string }; value: number }>();
      for (const labels of read()) {
        const key = `${labels.profile}/${labels.plugin}`;
        const known = counts.get(key);
        if (known === undefined) counts.set(key, { labels: { ...labels }, value: 1 });
        else known.value++;
      }
      return counts.values();
    });
  }

  /**
   * @param queue the queue that a pod entered: `active`, `backoff`, `unschedulable`, `gated`; @param event the reason
   */
  incoming(queue: string, event: string): void {
    const key = `${queue} ${event}`;
    let counter = this.#incoming.get(key);
    if (counter === undefined) {
      const help = 'Pods that came to a queue, by what brought them there.';
      counter = this.#metrics.counter('scheduler_queue_incoming_pods_total', help, { queue, event });
      this.#incoming.set(key, counter);
    }
    counter.add();
  }

  chosen(durationMs: number): void {
    this.#algorithm.observe(durationMs / 1000);
  }

  /** @param sinceFirstMs the time since the pod's first attempt */
  placed(attempts: number, sinceFirstMs: number): void {
    this.#attempts.observe(attempts);
    const label = attempts > attemptsReportedMax ? `${attemptsReportedMax}+` : String(attempts);
    const help = 'From when a pod was first tried to its being placed.';
    this.#metrics
      .histogram('scheduler_pod_scheduling_sli_duration_seconds', help, sliBounds, { attempts: label })
      .observe(sinceFirstMs / 1000);
  }

  triedPreemption(victims: number): void {
    this.#preemptions.add();
    if (victims > 0) this.#victims.observe(victims);
  }

  /** @param result as upstream spells statuses: `Success`, `Unschedulable` */
  waitedForPermit(result: string, durationMs: number): void {
    const help = 'How long pods wait for permission to be bound.';
    this.#metrics
      .histogram('scheduler_permit_wait_duration_seconds', help, durationBounds, { result })
      .observe(durationMs / 1000);
  }

  /** @param change +1 when a binding starts, -1 when it ends */
  binding(change: 1 | -1): void {
    this.#bindings.add(change);
  }
}
