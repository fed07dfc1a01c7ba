import { detach } from '@coxswain/apimachinery/detach.ts';
import {
  formatMicroTime,
  isStatusError,
  type Clock,
  type KubeObject,
  type Random,
} from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeClient } from '@coxswain/client';
import type { SchedulerEvent } from './framework/scheduler-api.ts';

/** The maximum number of events waiting to be written; more are dropped. */
const queueLengthMax = 10_000;
/** The maximum number of concurrent writes. */
const writesInFlightMax = 16;
/** An event repeated within this time is counted in a series instead of being written again. */
const seriesMs = 6 * 60_000;
/** The maximum number of series; the oldest are forgotten first. */
const seriesMax = 4096;

interface Written {
  readonly name: string;
  readonly namespace: string;
  count: number;
  lastMs: number;
}

export interface SchedulerEventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
}

/** Writes events of events.k8s.io in the background; repeated events become a series. */
export class SchedulerEventRecorder {
  readonly #options: SchedulerEventRecorderOptions;
  readonly #queue: SchedulerEvent[] = [];
  readonly #series = new Map<string, Written>();
  #inFlight = 0;
  #lastNanos = 0n;

  constructor(options: SchedulerEventRecorderOptions) {
    this.#options = options;
  }

  record(event: SchedulerEvent): void {
    if (this.#queue.length >= queueLengthMax) return;
    this.#queue.push(event);
    this.#pump();
  }

  #pump(): void {
    while (this.#inFlight < writesInFlightMax) {
      const event = this.#queue.shift();
      if (event === undefined) return;
      this.#inFlight++;
      detach(
        this.#write(event)
          .catch((error: unknown) => this.#failed(error))
          .finally(() => {
            this.#inFlight--;
            this.#pump();
          }),
      );
    }
  }

  /** Losing the last events of a terminating namespace does not matter. */
  #failed(error: unknown): void {
    const isTerminating =
      isStatusError(error) && error.status.details?.causes?.[0]?.reason === 'NamespaceTerminating';
    if (!isTerminating) this.#options.onError(error);
  }

  async #write(event: SchedulerEvent): Promise<void> {
    const nowMs = this.#options.clock.now();
    const key = seriesKey(event);
    const known = this.#series.get(key);
    if (known !== undefined && nowMs - known.lastMs < seriesMs) return this.#count(known, nowMs);
    const namespace = event.about.metadata?.namespace || 'default';
    const name = `${event.about.metadata?.name}.${this.#nextNanos(nowMs).toString(16)}`;
    this.#remember(key, { name, namespace, count: 1, lastMs: nowMs });
    await this.#events(namespace).create(eventObject(event, namespace, name, nowMs));
  }

  async #count(known: Written, nowMs: number): Promise<void> {
    known.count++;
    known.lastMs = nowMs;
    const series = { count: known.count, lastObservedTime: formatMicroTime(nowMs) };
    try {
      await this.#events(known.namespace).patch(known.name, { series });
    } catch (error) {
      // The event has expired, so a new one is created.
      if (!isStatusError(error, 'NotFound')) throw error;
      known.lastMs = 0;
    }
  }

  #events(namespace: string) {
    return this.#options.client.resource<KubeObject>('events.k8s.io/v1', 'events').namespace(namespace);
  }

  #remember(key: string, written: Written): void {
    this.#series.delete(key);
    this.#series.set(key, written);
    if (this.#series.size > seriesMax) this.#series.delete(this.#series.keys().next().value!);
  }

  /** Two events of the same millisecond need different names, even if another component records at the same time. */
  #nextNanos(nowMs: number): bigint {
    const nanos =
      BigInt(Math.trunc(nowMs)) * 1_000_000n + BigInt(Math.floor(this.#options.random.next() * 1_000_000));
    this.#lastNanos = nanos > this.#lastNanos ? nanos : this.#lastNanos + 1n;
    return this.#lastNanos;
  }
}

const seriesKey = ({ about, type, reason, action, note, schedulerName }: SchedulerEvent): string =>
  [about.metadata?.uid, type, reason, action, note, schedulerName].join('\n');

const eventObject = (event: SchedulerEvent, namespace: string, name: string, nowMs: number): KubeObject =>
  ({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace },
    eventTime: formatMicroTime(nowMs),
    reportingController: event.schedulerName,
    reportingInstance: `${event.schedulerName}-coxswain`,
    action: event.action,
    reason: event.reason,
    regarding: podReference(event.about),
    note: event.note,
    type: event.type,
  }) as KubeObject;

const podReference = ({ metadata }: Pod) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  namespace: metadata?.namespace,
  name: metadata?.name,
  uid: metadata?.uid,
  resourceVersion: metadata?.resourceVersion,
});
